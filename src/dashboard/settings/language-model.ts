import { client, viewer } from '../parts/session.ts';
import { useLoaded } from '../parts/use-loaded.ts';

/**
 * Why what is for a language model is off; empty where there is one, or where nobody can say: only
 * the owner of the store is told.
 */
export function useOffWords(): string {
  const read = async () => (viewer.value?.hasStore === true ? client.listModels() : null);
  const { value } = useLoaded(read, '');
  if (value === null || value.language_model !== null) return '';
  return 'Off: this needs a language model, and this server has none.';
}
