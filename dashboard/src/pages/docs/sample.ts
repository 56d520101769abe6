/** A file that a document links to, to take along. */
export interface Sample {
  url: string;
  name: string;
}

const files = import.meta.glob<string>(['../../../docs/deploy/*', '../../../docs/deploy/helm/tollgate/values.yaml'], {
  query: '?url',
  import: 'default',
  eager: true,
});

/** Of a link such as `deploy/nginx.conf`. Undefined for what is no sample. */
export function sampleOf(href: string): Sample | undefined {
  const url = files[`../../../docs/${href}`];
  return url === undefined ? undefined : { url, name: href.replace(/^.*\//, '') };
}
