/** What happened to a memory, in a word. */
export const changeWords = { ADD: 'Added', UPDATE: 'Edited', DELETE: 'Deleted' };
