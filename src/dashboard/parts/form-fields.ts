/** What a person typed into a field of a form, without spaces around it. */
export function textField(data: FormData, name: string): string {
  return String(data.get(name) ?? '').trim();
}

/** The same text; undefined if the field is empty. */
export function optionalField<N extends string>(data: FormData, name: N): { [K in N]?: string } {
  const text = textField(data, name);
  return (text === '' ? {} : { [name]: text }) as { [K in N]?: string }; // one name, or none
}
