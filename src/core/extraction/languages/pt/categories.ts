import type { CategoryWords } from '../default-categories.ts';

export const portugueseCategories: CategoryWords = {
  family:
    'esposa|marido|mulher|filh[oa]s?|mãe|pai|irmã|irmão|irmãos|avó|avô|avós|ti[oa]|' +
    'prim[oa]|família|sogr[oa]',
  professional_details: 'trabalho (?:na|no|em|como|para)|meu chefe|minha chefe|colegas|salário',
  sports: 'futebol|maratona|tênis|ténis|natação|academia|basquete|escalada|ioga|vôlei',
  travel: 'viagem|viagens|viajar|viajei|férias|voo|avião|hotel|aeroporto',
  food: 'comer|comi|comida|cozinhar|vegetarian[oa]|vegan[oa]|café|chá|vinho|cerveja|queijo',
  music: 'música|violão|guitarra|piano|violino|coral|concerto|bateria',
  health: 'alérgic[oa]|alergia|dentista|médic[oa]|hospital|asma|diabetes|grávida',
  milestones: 'casei|casamos|casamento|noiv[oa]s?|formei',
};
