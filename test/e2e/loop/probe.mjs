// Loaded into a service before its program (NODE_OPTIONS=--import): measures how long the event
// loop is held, and by which functions. It answers on a loopback port that it names on stderr.
import { createServer } from 'node:http';
import { Session } from 'node:inspector';
import { isMainThread } from 'node:worker_threads';
import { functionsWithin } from './profile.mjs';

const tickMs = 2;
/** Shorter ones are not kept. */
const stretchMinMs = 8;
/** Shorter ones keep no functions: to read a profile takes longer than they do. */
const namedMinMs = 40;
const keptMax = 20;
/** A profile is begun anew after this time, so that it does not grow. */
const profileMaxMs = 5_000;

/** @typedef {{ start: number, end: number, wallMs: number, cpuMs: number }} Stretch */

// The program starts others, such as the process of local models: they inherit the option.
if (isMainThread && process.argv[2] === 'serve') startProbe();

function startProbe() {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: 1_000 });
  const watch = watchLoop();
  let profile = beginProfile(session);
  const server = createServer(({ url }, response) => {
    // An idle connection ends while the loop is held.
    response.setHeader('Connection', 'close');
    if (url === '/forget') {
      response.end();
      watch.reset();
      return;
    }
    const { stretches, cpuMs } = watch.look();
    const slowest = stretches[0]?.cpuMs ?? 0;
    let read = null;
    if (slowest >= namedMinMs || performance.now() - profile.startedMs > profileMaxMs) {
      read = endProfile(session);
      profile = beginProfile(session);
    }
    const named = stretches.map((stretch) => ({
      ms: stretch.cpuMs,
      wallMs: stretch.wallMs,
      functions: read !== null && stretch.cpuMs >= namedMinMs ? functionsWithin(read, stretch) : [],
    }));
    response.end(JSON.stringify({ cpuMs, stretches: named }));
    watch.reset(); // the work of the probe is nobody's
  });
  server.unref();
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : address;
    process.stderr.write(`loop probe on http://127.0.0.1:${port}\n`);
  });
}

/** Notes each time that the timer came late, with the processor time of the process in it. */
function watchLoop() {
  /** @type {Stretch[]} */
  let kept = [];
  let last = now();
  let first = last.cpu;
  const note = () => {
    const tick = now();
    const wallMs = tick.ms - last.ms;
    // Other threads, such as that of the profiler, add to the processor time; a busy machine adds
    // to the other.
    const cpuMs = Math.min(wallMs, tick.cpu - last.cpu);
    if (cpuMs >= stretchMinMs) {
      kept.push({ start: last.ms, end: tick.ms, wallMs, cpuMs });
      kept.sort((one, other) => other.cpuMs - one.cpuMs);
      kept.length = Math.min(kept.length, keptMax);
    }
    last = tick;
  };
  setInterval(note, tickMs).unref();
  return {
    look: () => {
      note();
      return { stretches: kept, cpuMs: last.cpu - first };
    },
    reset: () => {
      kept = [];
      last = now();
      first = last.cpu;
    },
  };
}

/** Milliseconds of the clock that profiles tell too, and of the processor. */
function now() {
  const { user, system } = process.cpuUsage();
  return { ms: Number(process.hrtime.bigint()) / 1e6, cpu: (user + system) / 1_000 };
}

/** @param {Session} session */
function beginProfile(session) {
  session.post('Profiler.start');
  return { startedMs: performance.now() };
}

/** @param {Session} session */
function endProfile(session) {
  /** @type {import('node:inspector').Profiler.Profile | null} */
  let profile = null;
  // Sessions in the same thread answer at once.
  session.post('Profiler.stop', (_, answer) => {
    profile = answer.profile;
  });
  return profile;
}
