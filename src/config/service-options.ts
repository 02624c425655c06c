import * as z from 'zod';
import { BootstrapKey } from './bootstrap-key.ts';
import { oauthOptions } from './oauth-options.ts';
import { option } from './option.ts';

const Origin = z
  .string()
  .regex(/^(\*|https?:\/\/[^\s/]+)$/, 'must be origins such as https://example.com, or *');

const HostName = z
  .string()
  .regex(/^([\w.-]+|\[[\da-f:]+\])$/i, 'must be host names such as mneme.example.com, no ports');

/** The address of `mneme serve`, who may use it, and how it answers. */
export const serviceOptions = {
  host: option(z.string().min(1).max(255), {
    default: '127.0.0.1',
    description: 'Address that mneme serve listens on; 0.0.0.0 means all interfaces.',
    fromProject: 'refused',
  }),
  port: option(z.int().min(0).max(65_535), {
    default: 8787,
    description: 'Port that mneme serve listens on; 0 picks a free one.',
    fromProject: 'refused',
  }),
  shutdown_delay_ms: option(z.int().min(0).max(600_000), {
    default: 0,
    description:
      'Time for which mneme serve keeps serving after SIGTERM, not ready, so that proxies ' +
      'drain it.',
    fromProject: 'refused',
  }),
  mcp: option(z.boolean(), {
    default: true,
    description: 'Serve MCP at /mcp, next to the REST service.',
    fromProject: 'refused',
  }),
  allowed_hosts: option(z.array(HostName).min(1), {
    default: null,
    description:
      'Host names allowed for /mcp; by default those of this machine if it listens locally.',
    fromProject: 'refused',
  }),
  tool_timeout_ms: option(z.int().min(100).max(3_600_000), {
    default: 60_000,
    description: 'Longest time for a tool before it is stopped; add_memory gets add_wait_ms more.',
    fromProject: 'refused',
  }),
  ...oauthOptions,
  bootstrap_key: option(BootstrapKey, {
    default: null,
    description: 'API key of 32 characters or more that mneme serve makes valid when it starts.',
    secret: true,
    fromProject: 'refused',
  }),
  dialect: option(z.enum(['auto', 'published', 'sdk']), {
    default: 'auto',
    description: 'Shape of REST responses; auto recognizes official clients by their headers.',
    fromProject: 'refused',
  }),
  rate_limit: option(z.int().min(0).max(1_000_000_000), {
    default: 0,
    description: 'Requests per minute for each API key; 0 means no limit.',
    fromProject: 'refused',
  }),
  body_max_bytes: option(z.int().min(1024).max(1_000_000_000), {
    default: 4 * 1024 * 1024,
    description: 'Largest request body, in bytes.',
    fromProject: 'refused',
  }),
  cors_origins: option(z.array(Origin), {
    default: [],
    description: 'Origins whose web pages may call the service; * allows any.',
    fromProject: 'refused',
  }),
  trust_proxy: option(z.boolean(), {
    default: false,
    description: 'Trust X-Forwarded headers; use only behind a proxy that sets them.',
    fromProject: 'refused',
  }),
  metrics_public: option(z.boolean(), {
    default: false,
    description: 'Serve /metrics to other machines too.',
    fromProject: 'refused',
  }),
  request_log: option(z.boolean(), {
    default: true,
    description: 'Log a line for each request.',
    fromProject: 'refused',
  }),
};
