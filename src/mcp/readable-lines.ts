import { Transform } from 'node:stream';
import { parseJSONRPCMessage, STDIO_DEFAULT_MAX_BUFFER_SIZE } from '@modelcontextprotocol/server';
import { isObject } from '../contract/is-object.ts';
import { withoutNullFields } from './null-fields.ts';

type RequestId = string | number;

/**
 * Passes on lines that hold a message as the SDK reads it. Of any other JSON `refuse` gets the id,
 * if there is one: the SDK drops it without a word, and the client would wait.
 */
export function readableLines(refuse: (id: RequestId | undefined) => void): Transform {
  let chunks: Buffer[] = [];
  let heldBytes = 0;
  const take = (): Buffer => {
    const all = Buffer.concat(chunks);
    chunks = [];
    heldBytes = 0;
    return all;
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let from = 0;
      for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', from)) {
        chunks.push(chunk.subarray(from, end + 1));
        from = end + 1;
        this.push(readableLine(take(), refuse));
      }
      chunks.push(chunk.subarray(from));
      heldBytes += chunk.length - from;
      // Too long for the SDK, which says so.
      if (heldBytes > STDIO_DEFAULT_MAX_BUFFER_SIZE) this.push(take());
      done();
    },
    flush(done) {
      done(null, take());
    },
  });
}

/** An empty one instead of a message that is refused. */
function readableLine(line: Buffer, refuse: (id: RequestId | undefined) => void): Buffer | string {
  let value: unknown;
  try {
    value = JSON.parse(line.toString());
  } catch {
    return line; // such as what a shell prints when it starts; it is skipped
  }
  const message = withoutNullFields(value);
  try {
    parseJSONRPCMessage(message);
  } catch {
    refuse(isObject(value) ? readableId(value.id) : undefined);
    return '\n';
  }
  return message === value ? line : `${JSON.stringify(message)}\n`;
}

function readableId(id: unknown): RequestId | undefined {
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}
