import { type Service, spawnService } from '../e2e/service.ts';

/** One of several servers on a database, which sends webhooks to local receivers. */
export function spawnReplica(place: { data_dir: string; url: string }): Promise<Service> {
  return spawnService({
    data_dir: place.data_dir,
    env: {
      MNEME_DATABASE_URL: place.url,
      MNEME_LEASE_MS: '2000',
      MNEME_WEBHOOK_ALLOW_HTTP: 'true',
      MNEME_WEBHOOK_ALLOW_PRIVATE: 'true',
      MNEME_REQUEST_LOG: 'false',
    },
  });
}
