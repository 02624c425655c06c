import { isObject } from '../contract/is-object.ts';

/** Fields that clients send as null if they have no value. */
const optionalFields = ['_meta', 'cursor', 'arguments'];

/** A JSON-RPC message, or a list of them, with each optional field that is null left out. */
export function withoutNullFields(message: unknown): unknown {
  if (Array.isArray(message)) return message.map(withoutNullFields);
  if (!isObject(message) || !('method' in message) || !('params' in message)) return message;
  const { params, ...fields } = message;
  if (params === null) return fields;
  if (!isObject(params) || !optionalFields.some((name) => params[name] === null)) return message;
  const members = Object.entries(params).filter(
    ([name, value]) => value !== null || !optionalFields.includes(name),
  );
  return { ...fields, params: Object.fromEntries(members) };
}
