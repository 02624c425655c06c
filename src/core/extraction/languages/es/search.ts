export const spanishSearch = {
  asks: 'qué|quién|quiénes|dónde|cuándo|cuáles|cuál|cómo|cuánto',
  asksOn: 'y',
  pronouns: 'ella|ellos',
  past: 'antes|anterior(?:mente)?',
  passwords: 'contraseña|clave del? (?:la )?(?:wi-?fi|correo|banco|cuenta|router|red|e-?mail)',
  passwordIs: ' es',
  numbers: 'tres|cuatro|cinco|ocho',
  parts: 'palabras|caracteres',
  negations: 'no|nunca',
};
