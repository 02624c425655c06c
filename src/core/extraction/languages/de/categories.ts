import type { CategoryWords } from '../default-categories.ts';

export const germanCategories: CategoryWords = {
  family:
    'Frau|Ehemann|Mann|Sohn|Söhne|Tochter|Töchter|Mutter|Mama|Vater|Papa|Schwester|Bruder|' +
    'Geschwister|Eltern|Oma|Opa|Großeltern|Onkel|Tante|Kinder|Kind|Familie|Freundin',
  professional_details: 'Beruf|Chef(?:in)?|Kolleg(?:e|in|en)|Firma|Gehalt|befördert|arbeite bei',
  sports: 'Fußball|Marathon|Tennis|schwimmen|joggen|Fitnessstudio|Yoga|klettern|wandern|Handball',
  travel: 'Reise|Urlaub|Flug|fliegen|fliege|geflogen|verreisen|Hotel|Flughafen',
  food: 'esse|essen|kochen|koche|vegetarisch|Vegetarier(?:in)?|vegan|Kaffee|Tee|Wein|Bier|Käse',
  music: 'Musik|Gitarre|Klavier|Geige|singe|Chor|Konzert|Schlagzeug',
  health:
    'allergisch|Allergie|Zahnarzt\\p{L}*|Arzt|Krankenhaus|Asthma|Diabetes|Medikamente?|schwanger',
  milestones: 'geheiratet|Hochzeit|verlobt|befördert|Abschluss gemacht',
};
