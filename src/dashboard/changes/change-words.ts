/** What happened to a memory, in a word. */
export const changeWords = { ADD: 'Learned', UPDATE: 'Changed', DELETE: 'Deleted' };
