// /llms.txt: the API in plain text, for language models and for people without a browser (llmstxt.org).
// Made from the OpenAPI document, so that it lists exactly the endpoints that exist.

interface Operation {
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly object[];
}

export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export function llmsText({ info, paths, webhooks }: OpenApiDocument): string {
  const [summary, ...rest] = info.description.split('\n\n');
  return `# ${info.title}

> ${summary}

Base URL: the origin that served this file. API version ${info.version}.

${rest.join('\n\n')}

## Endpoints

${endpoints(paths)}

## Callbacks

${endpoints(webhooks)}

## Documents

- [OpenAPI 3.1](/v1/openapi.json): every parameter, body, status and header of the endpoints above.
- [API reference](/docs): the same for people, with examples and a form to send requests.
`;
}

function endpoints(paths: OpenApiDocument['paths']): string {
  return Object.entries(paths)
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) =>
        line(`${method.toUpperCase()} ${path}`, operation),
      ),
    )
    .join('\n');
}

function line(title: string, { summary = '', description, security }: Operation): string {
  const open = security?.length === 0 ? ' No key needed.' : '';
  return `- \`${title}\`: ${[summary, description].filter(Boolean).join('. ').replace(/\.?$/, '.')}${open}`;
}
