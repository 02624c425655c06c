/** A word for each kind of change. */
export const changeWords = { ADD: 'Added', UPDATE: 'Edited', DELETE: 'Deleted' };
