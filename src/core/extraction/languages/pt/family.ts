/** Relatives, friends, others whom one knows, and pets: the source of a pattern. */
export const portugueseFamily =
  '(?:esposa|esposo|mulher|marido|namorada|namorado|companheir[oa]|' +
  'mãe|pai|irmã|irmão|filha|filho|' +
  'bebê|avó|avô|tia|tio|prima|primo|sobrinha|sobrinho|amiga|amigo|' +
  'vizinh[oa]|chefe|colega|cachorra|' +
  'cachorro|cadela|cão|gata|gato)';
