export const italianSearch = {
  asks: 'chi|che|cosa|dove|quando|quale|quali|perché|come|quanto',
  asksOn: 'e',
  pronouns: 'lei|loro',
  past: 'prima|precedente',
  passwordIs: ' è',
  numbers: 'tre|quattro|cinque|otto',
  parts: 'parole|caratteri',
  negations: 'non|mai',
};
