import { describe, expect, it } from 'vitest';
import { statedAliases } from '../../src/core/language/stated-aliases.ts';

describe('names that a text says are one', () => {
  it.each([
    ['k8s is short for Kubernetes.', 'k8s', 'Kubernetes'],
    ['In our notes PR is an abbreviation of pull request.', 'PR', 'pull request'],
    ['WFH stands for working from home', 'WFH', 'working from home'],
    ['Robert Hale, aka Bobby, joined in May.', 'Robert Hale', 'Bobby'],
    ['Everyone calls me Bo.', 'User', 'Bo'],
    ['All my cousins live there, and my friends call me Sunny.', 'User', 'Sunny'],
    ['Call me Bo.', 'User', 'Bo'],
    ['We call the staging cluster Bruno.', 'staging cluster', 'Bruno'],
    ['They named their boat Sea Wolf last year.', 'boat', 'Sea Wolf'],
    ['I visited my mum Helen on Sunday.', 'mum', 'Helen'],
    ["User's landlord is called Marek.", 'landlord', 'Marek'],
    ["My mum's name is Helen", 'mum', 'Helen'],
    ['WG steht für Wohngemeinschaft.', 'WG', 'Wohngemeinschaft'],
    ['Alle nennen mich Bo.', 'User', 'Bo'],
    ['Wir nennen den Testserver Bruno.', 'Testserver', 'Bruno'],
    ['Gestern war meine Schwester Lena hier.', 'Schwester', 'Lena'],
    ['Tout le monde m’appelle Bo.', 'User', 'Bo'],
    ['Nous appelons le serveur Bruno.', 'serveur', 'Bruno'],
    ['J’ai vu ma mère Hélène.', 'mère', 'Hélène'],
    ['Todos me llaman Bo.', 'User', 'Bo'],
    ['Mi hermana Lucía vive en Vigo.', 'hermana', 'Lucía'],
  ])('%s', (text, one, other) => {
    expect(statedAliases(text)).toEqual([[one, other]]);
  });

  it.each([
    'Is k8s short for Kubernetes?',
    'If everyone calls me Bo, I leave.',
    'k8s is not short for Kubernetes',
    'Nobody calls me Bo.',
    "Don't call me Bo.",
    'I call my mum Sunday mornings.',
    'I called Bo yesterday.',
    'My mum met Helen in Leeds.',
    'My boss is German.',
    'The flag stands for freedom.',
    'It is short for Kubernetes',
    'We called the plumber twice.',
    'My mum and Helen bake bread.',
    'Meine Schwester und Lena waren hier.',
  ])('are none in: %s', (text) => {
    expect(statedAliases(text)).toEqual([]);
  });
});
