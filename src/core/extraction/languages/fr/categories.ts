import type { CategoryWords } from '../default-categories.ts';

export const frenchCategories: CategoryWords = {
  family:
    'femme|mari|épouse|fils|fille|filles|mère|maman|père|papa|sœur|frère|parents|' +
    'grand-(?:mère|père)|oncle|tante|cousine?|enfants?|famille',
  professional_details: 'travaille (?:chez|comme|pour)|métier|collègues?|patronn?e?|salaire',
  sports: 'foot(?:ball)?|marathon|tennis|natation|escalade|randonnée|yoga|rugby|judo',
  travel: 'voyages?|voyager|vacances|avion|hôtel|aéroport',
  food: 'mange|manger|cuisine|végétarienn?e?|végane?|café|thé|vin|bière|fromage|chocolat',
  music: 'musique|guitare|piano|violon|chante|chorale|concert|batterie',
  health: 'allergique|allergie|dentiste|médecin|hôpital|asthme|diabète|enceinte',
  milestones: 'mariée?s?|mariage|fiancée?s?|diplômée?s?',
};
