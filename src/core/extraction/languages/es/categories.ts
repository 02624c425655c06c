import type { CategoryWords } from '../default-categories.ts';

export const spanishCategories: CategoryWords = {
  family:
    'esposa|esposo|marido|mujer|hij[oa]s?|madre|mamá|padre|papá|hermana|hermano|' +
    'hermanos|abuel[oa]s?|tí[oa]|prim[oa]|familia|suegr[oa]',
  professional_details: 'trabajo (?:en|como|para)|mi jefe|mi jefa|colegas?|sueldo|empresa',
  sports: 'fútbol|maratón|tenis|natación|baloncesto|gimnasio|senderismo|yoga|escalada',
  travel: 'viajes?|viajar|viajé|vacaciones|vuelo|volar|hotel|aeropuerto',
  food: 'como carne|comer|comida|cocinar|vegetarian[oa]|vegan[oa]|café|té|vino|cerveza|queso',
  music: 'música|guitarra|piano|violín|canto|coro|concierto|batería',
  health: 'alérgic[oa]|alergia|dentista|médic[oa]|hospital|asma|diabetes|embarazada',
  milestones: 'me casé|nos casamos|boda|comprometid[oa]s?|me gradué',
};
