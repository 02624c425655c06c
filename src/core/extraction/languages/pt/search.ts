export const portugueseSearch = {
  asks: 'que|quem|onde|quando|qual|quais|como|por que',
  asksOn: 'e',
  pronouns: 'ele|eles',
  past: 'antes|anterior(?:mente)?',
  passwords: 'senha',
  passwordIs: ' é',
  numbers: 'quatro|cinco|oito',
  parts: 'palavras',
  negations: 'não',
};
