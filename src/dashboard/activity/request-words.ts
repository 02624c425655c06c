export const eventNames = {
  ADD: 'Add',
  SEARCH: 'Search',
  UPDATE: 'Update',
  DELETE: 'Delete',
  GET_ALL: 'List',
  DELETE_ALL: 'Delete all',
  DELETE_ENTITY: 'Erase',
  EXPORT: 'Export',
  UNDO: 'Undo',
};

export const eventStates = {
  PENDING: 'waits',
  RUNNING: 'runs',
  FAILED: 'failed',
  SUCCEEDED: 'done',
};
