import { type ParsedChats, parseConversations } from '../../conversations/parse-conversations.ts';
import { readSources } from './sources.ts';

/**
 * Reads the conversations in a file of any known format, in an archive or in a folder, in order of
 * time. Throws `invalid` when there is none, `not_found`, `too_large`.
 */
export async function readConversations(file: string): Promise<ParsedChats> {
  return parseConversations(await readSources(file), 'Import it without --chat.');
}
