import type { ArchiveLine } from '../../contract/archive/archive-line.ts';
import type { Instant } from '../ports/index.ts';
import { addMs } from '../queue/add-ms.ts';

/** The clocks of two machines differ; a date further ahead than this is wrong. */
const clockSkewMaxMs = 5 * 60_000;

export type DatedLine = {
  line: ArchiveLine;
  /** A date was ahead of the clock: such a line is not newer than what is stored. */
  isAhead: boolean;
};

/** Takes now for dates that are ahead of the clock: nothing was made or changed after today. */
export function withBelievedTimes(line: ArchiveLine, now: Instant): DatedLine {
  const limit = addMs(now, clockSkewMaxMs);
  let isAhead = false;
  const believed = (time: Instant): Instant => {
    if (time <= limit) return time;
    isAhead = true;
    return now;
  };
  const dated = withTimes(line, believed);
  return { line: dated, isAhead };
}

function withTimes(line: ArchiveLine, believed: (time: Instant) => Instant): ArchiveLine {
  switch (line.kind) {
    case 'end':
      return line;
    case 'project':
      return { ...line, updated_at: believed(line.updated_at) };
    case 'feedback':
      return { ...line, created_at: believed(line.created_at) };
    case 'version': {
      const { created_at, updated_at, recorded_from, recorded_until } = line;
      return {
        ...line,
        created_at: believed(created_at),
        updated_at: believed(updated_at),
        recorded_from: believed(recorded_from),
        recorded_until: believed(recorded_until),
      };
    }
    case 'memory': {
      const { created_at, updated_at, recorded_from } = line;
      return {
        ...line,
        created_at: believed(created_at),
        updated_at: believed(updated_at),
        ...(recorded_from !== undefined && { recorded_from: believed(recorded_from) }),
      };
    }
    default: {
      const { created_at, updated_at } = line;
      return { ...line, created_at: believed(created_at), updated_at: believed(updated_at) };
    }
  }
}
