/** Where the sign-in services that have one fixed home are found. */
export interface SignInEndpoints {
  /** The pages of GitHub, and its API. */
  github: string;
  githubApi: string;
  linuxDo: string;
  turnstile: string;
}

export const publicSignInEndpoints: SignInEndpoints = {
  github: 'https://github.com',
  githubApi: 'https://api.github.com',
  linuxDo: 'https://connect.linux.do',
  turnstile: 'https://challenges.cloudflare.com',
};
