/**
 * Published forms of secrets. Prefixes and structure only: no entropy and no digit patterns, because a
 * numeric id must not be refused by luck. Each form starts where a letter or digit does not go before.
 */
const CREDENTIAL_FORMS: readonly RegExp[] = [
  /(?<![A-Za-z0-9])[srp]k_(?:live|test)_./, // Stripe
  /(?<![A-Za-z0-9])whsec_./, // webhook signing secrets
  /(?<![A-Za-z0-9])sk-(?:ant-|proj-|[A-Za-z0-9]{20})/, // OpenAI, Anthropic
  /(?<![A-Za-z0-9])gh[pousr]_[A-Za-z0-9]/, // GitHub
  /(?<![A-Za-z0-9])github_pat_./,
  /(?<![A-Za-z0-9])glpat-./, // GitLab
  /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{12}/, // AWS
  /(?<![A-Za-z0-9])AIza[\w-]{30}/, // Google
  /(?<![A-Za-z0-9])xox[a-z]-./, // Slack
  /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{36}/,
  /(?<![A-Za-z0-9])eyJ[\w-]+\.[\w-]+\.[\w-]*/, // JWT
  /-----BEGIN /, // PEM
  /(?<![A-Za-z0-9])bearer[\s:=]+\S/i, // an Authorization header
];

/** Whether the text has, anywhere in it, a form that a known issuer gives to its secrets. */
export function looksLikeCredential(text: string): boolean {
  return CREDENTIAL_FORMS.some((form) => form.test(text));
}
