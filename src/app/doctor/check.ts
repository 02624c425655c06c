/** The result of one check; `advice` says what to do when it is not ok. */
export type Check = {
  name: string;
  status: 'ok' | 'warning' | 'failed';
  found: string;
  advice?: string;
};

export function ok(name: string, found: string): Check {
  return { name, status: 'ok', found };
}

export function warning(name: string, found: string, advice: string): Check {
  return { name, status: 'warning', found, advice };
}

export function failed(name: string, found: string, advice: string): Check {
  return { name, status: 'failed', found, advice };
}
