import * as z from 'zod';
import { BootstrapKey } from './bootstrap-key.ts';
import { option } from './option.ts';

/** How long records are kept, and whether calls are recorded. */
export const retentionOptions = {
  retention_days: option(z.int().min(1).max(36_500), {
    default: 30,
    description: 'Days for which events, recalls and settled webhook deliveries are kept.',
    engine: true,
    fromProject: 'refused',
  }),
  export_retention_days: option(z.int().min(0).max(36_500), {
    default: 7,
    description: 'Days for which finished exports are kept; 0 keeps them forever.',
    fromProject: 'refused',
  }),
  expired_retention_days: option(z.int().min(0).max(36_500), {
    default: 30,
    description: 'Days after its last day until an expired memory is deleted; 0 only hides it.',
    fromProject: 'refused',
  }),
  undo_days: option(z.int().min(1).max(36_500), {
    default: 30,
    description: 'Days for which deleted memories can be brought back.',
    engine: true,
    fromProject: 'refused',
  }),
  history_days: option(z.int().min(0).max(36_500), {
    default: 0,
    description:
      'Days for which earlier versions of memories are kept: 0 (forever), or at least ' +
      'undo_days.',
    engine: true,
    fromProject: 'refused',
  }),
  audit: option(z.boolean(), {
    default: false,
    description: 'Record every call in the audit log: who, what, which ids, when; no text.',
    fromProject: 'refused',
  }),
  audit_key: option(BootstrapKey, {
    default: null,
    description:
      'Secret, kept outside the store, without which nobody can forge entries of the audit ' +
      'log.',
    secret: true,
    fromProject: 'refused',
  }),
  audit_retention_days: option(z.int().min(0).max(36_500), {
    default: 365,
    description: 'Days for which entries of the audit log are kept; 0 keeps them forever.',
    fromProject: 'refused',
  }),
};
