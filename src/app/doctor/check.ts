/** The result of one check; `advice` says what to do when it is not ok. */
export type Check = {
  name: string;
  status: 'ok' | 'warning' | 'failed';
  found: string;
  advice?: string;
};

export function ok(name: string, finding: string): Check {
  return { name, status: 'ok', found: finding };
}

export function warning(name: string, finding: string, advice: string): Check {
  return { name, status: 'warning', found: finding, advice };
}

export function failed(name: string, finding: string, advice: string): Check {
  return { name, status: 'failed', found: finding, advice };
}
