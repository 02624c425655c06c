import * as z from 'zod';

/** 128 bits, the least that nobody can guess, in hexadecimal digits: nothing needs more letters. */
const charsMin = 32;

export const BootstrapKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, 'must hold no white space')
  .min(
    charsMin,
    `must have at least ${charsMin} characters (128 random bits, in hexadecimal), or it could be ` +
      'guessed; `openssl rand -hex 32` makes one',
  );
