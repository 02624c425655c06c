/** Whether a command line is that of a hook, also when nothing else in it can be understood. */
export function isHookCommand([command, ...args]: readonly string[]): boolean {
  if (command === 'hook') return true;
  return /(^| )--(hook|format[= ]hook)( |$)/.test(args.join(' '));
}
