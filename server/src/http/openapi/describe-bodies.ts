// Which bodies of the OpenAPI document must be there.

/** A body in which nothing is required may be left out, except for a PATCH, which would say nothing. */
export function describeBodies<Document extends { paths?: object | undefined }>(
  document: Document,
): Document {
  for (const path of Object.values(document.paths ?? {}))
    for (const [method, { requestBody }] of Object.entries<{ requestBody?: RequestBody }>(path))
      if (requestBody)
        requestBody.required =
          method === 'patch' || 'required' in requestBody.content['application/json'].schema;
  return document;
}

interface RequestBody {
  required: boolean;
  readonly content: { readonly 'application/json': { readonly schema: object } };
}
