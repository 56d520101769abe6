/** The key of a Vertex channel, as it is stored. */
export function account(changes: Record<string, unknown> = {}): string {
  return JSON.stringify({
    type: 'service_account',
    project_id: 'p1',
    private_key_id: 'k1',
    private_key: 'not read here',
    client_email: 'sa@p1.iam.gserviceaccount.com',
    token_uri: 'https://oauth2.googleapis.com/token',
    ...changes,
  });
}
