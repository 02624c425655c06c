/** Relatives, friends, others whom one knows, and pets: the source of a pattern. */
export const spanishFamily =
  '(?:esposa|esposo|mujer|marido|novia|novio|pareja|madre|mamá|padre|' +
  'papá|hermana|hermano|hija|hijo|' +
  'bebé|abuela|abuelo|tía|tío|prima|primo|sobrina|sobrino|amiga|amigo|' +
  'vecina|vecino|jefa|jefe|' +
  'colega|perra|perro|gata|gato)';
