import type { CategoryWords } from '../default-categories.ts';

export const italianCategories: CategoryWords = {
  family:
    'moglie|marito|figli[oae]?|madre|mamma|padre|papà|sorella|fratello|genitori|nonn[oa]|' +
    'zi[oa]|cugin[oa]|famiglia|suocer[oa]',
  professional_details: 'lavoro (?:come|per|in|alla|da)|collegh?[ie]|il mio capo|stipendio',
  sports: 'calcio|maratona|tennis|nuoto|palestra|yoga|arrampicata|pallavolo|basket',
  travel: 'viaggio|viaggi|viaggiare|parto per|vacanza|vacanze|volo|aereo|albergo|aeroporto',
  food: 'mangio|mangiare|cucinare|cucina|vegetarian[oa]|vegan[oa]|caffè|tè|vino|birra|formaggio',
  music: 'musica|chitarra|pianoforte|violino|canto|coro|concerto|batteria',
  health: 'allergic[oa]|allergia|dentista|medico|ospedale|asma|diabete|incinta',
  milestones: 'sposat[oaie]|matrimonio|fidanzat[oi]|laureat[oa]',
};
