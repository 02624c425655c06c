// Writes small networks as ONNX files, which are protocol buffers: for field numbers, see
// https://github.com/onnx/onnx/blob/main/onnx/onnx.proto.

/** A constant tensor of the network: floats or integers. */
export type Initial = { name: string; dims: number[]; data: Float32Array | BigInt64Array };

export type Step = {
  operator: string;
  inputs: string[];
  output: string;
  attributes?: Record<string, number>;
};

export type Port = { name: string; type: 'float' | 'int64'; dims: (string | number)[] };

export type Graph = { initials: Initial[]; steps: Step[]; inputs: Port[]; outputs: Port[] };

const types = { float: 1, int64: 7 };
const irVersion = 8;
const operatorSet = 17;

export function onnxFile({ initials, steps, inputs, outputs }: Graph): Buffer {
  const graph = Buffer.concat([
    ...steps.map((step) => field(1, stepBytes(step))),
    field(2, text('graph')),
    ...initials.map((initial) => field(5, initialBytes(initial))),
    ...inputs.map((port) => field(11, portBytes(port))),
    ...outputs.map((port) => field(12, portBytes(port))),
  ]);
  const operators = Buffer.concat([field(1, text('')), whole(2, operatorSet)]);
  return Buffer.concat([whole(1, irVersion), field(7, graph), field(8, operators)]);
}

function stepBytes({ operator, inputs, output, attributes = {} }: Step): Buffer {
  const kindInt = 2;
  const given = Object.entries(attributes).map(([name, value]) =>
    field(5, Buffer.concat([field(1, text(name)), whole(3, value), whole(20, kindInt)])),
  );
  const named = inputs.map((input) => field(1, text(input)));
  return Buffer.concat([...named, field(2, text(output)), field(4, text(operator)), ...given]);
}

function initialBytes({ name, dims, data }: Initial): Buffer {
  const type = data instanceof Float32Array ? types.float : types.int64;
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const sizes = dims.map((dim) => whole(1, dim));
  return Buffer.concat([...sizes, whole(2, type), field(8, text(name)), field(9, bytes)]);
}

function portBytes({ name, type, dims }: Port): Buffer {
  const sizes = dims.map((dim) =>
    field(1, typeof dim === 'string' ? field(2, text(dim)) : whole(1, dim)),
  );
  const tensor = Buffer.concat([whole(1, types[type]), field(2, Buffer.concat(sizes))]);
  return Buffer.concat([field(1, text(name)), field(2, field(1, tensor))]);
}

/** A field of bytes: its number, its length and the bytes. */
function field(number: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([variable((number << 3) | 2), variable(bytes.length), bytes]);
}

/** An integer field. */
function whole(number: number, value: number): Buffer {
  return Buffer.concat([variable(number << 3), variable(value)]);
}

/** A varint: seven bits a byte, lowest first; all bytes but the last have the eighth bit set. */
function variable(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.from([...bytes, rest]);
}

function text(value: string): Buffer {
  return Buffer.from(value);
}
