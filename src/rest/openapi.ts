/** The description of the API as JSON text. */
export function openApiText(version: string): string {
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'mneme', version }, paths: {} });
}
