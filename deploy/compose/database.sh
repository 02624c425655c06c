#!/bin/sh
# Makes the database and its users, as docs/postgres.md has them: one owns the tables, the other is
# what replicas connect as, and is held to the rows of a project by the database itself.
set -eu

psql --set=ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres \
  --set=password="$MNEME_DATABASE_PASSWORD" --set=owner_password="$MNEME_OWNER_PASSWORD" <<'SQL'
create database mneme encoding 'UTF8' template template0;
\connect mneme
create extension if not exists vector;
create role mneme_app;
create role mneme_queue;
create role mneme_owner login password :'owner_password';
grant create on database mneme to mneme_owner;
grant mneme_app, mneme_queue to mneme_owner;
create role mneme login noinherit password :'password';
grant mneme_app, mneme_queue to mneme;
SQL
