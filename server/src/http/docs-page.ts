// The OpenAPI document as a page people read: static HTML, no script, nothing loaded from anywhere.
export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

export function docsPage(document: OpenApiDocument): string {
  return `<!doctype html><title>${document.info.title}</title>`;
}
