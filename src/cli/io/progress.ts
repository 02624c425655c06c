import { printToStderr } from '../../log.ts';

const reportEveryMs = 2000;

/** Reports the progress of a long command on stderr every two seconds. */
export function createProgressReporter(): (say: () => string) => void {
  let next = Date.now() + reportEveryMs;
  return (say) => {
    if (Date.now() < next) return;
    printToStderr(say());
    next = Date.now() + reportEveryMs;
  };
}
