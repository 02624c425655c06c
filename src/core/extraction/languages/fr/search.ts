export const frenchSearch = {
  asks: "qui|que|quoi|où|quand|quel(?:le)?s?|pourquoi|comment|combien|qu'",
  asksOn: 'et',
  pronouns: 'il|elle|ils|elles|lui|leurs?',
  past: 'avant|auparavant',
  passwords: 'mot de passe',
  passwordIs: " est|,? c['’]est",
  numbers: 'trois|quatre|cinq|six|huit',
  parts: 'mots?|caract[eè]res',
  negations: 'pas|jamais|plus',
};
