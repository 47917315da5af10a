package secret

import "testing"

func TestNameLooksSecret(t *testing.T) {
	secret := []string{
		"TOKEN", "GITHUB_TOKEN", "githubToken", "GITHUBTOKEN", "API_KEY", "APIKEY", "x-api-key", "X-Api-Key",
		"perplexityApiKey", "figma-api-key", "ACCESS_KEY", "AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID", "SECRET",
		"CLIENT_SECRET", "clientSecret", "PASSWORD", "POSTGRES_PASSWORD", "DB_PASS", "PGPASSWORD", "PASSWD", "MYSQL_PWD",
		"AUTH", "BASIC_AUTH", "_auth", "Authorization", "Proxy-Authorization", "CREDENTIAL", "GOOGLE_CREDENTIALS",
		"PRIVATE_KEY", "SSH_PRIVATE_KEY", "Cookie", "SESSION", "SESSION_ID", "AZURE_DEVOPS_PAT", "SENTRY_DSN",
		"CONNECTION_STRING", "AZURE_STORAGE_CONNECTION_STRING", "connectionString", "PRIVATE-TOKEN", "JWT",
		"OPENAI_KEY", "Ocp-Apim-Subscription-Key", "access_token", "accessToken", "OAuthToken", "ACCESS_TOKENS", "passphrase",
	}
	for _, n := range secret {
		if !NameLooksSecret(n) {
			t.Errorf("%q does not look secret", n)
		}
	}
	open := []string{
		"", "-", "KEYBOARD", "MONKEY", "DONKEY", "AUTHOR", "GIT_AUTHOR_NAME", "TOKENIZERS_PARALLELISM", "MAX_TOKENS",
		"MAX_TOKEN", "max-output-tokens", "num_tokens", "PATH", "NODE_PATH", "COMPATIBLE", "DISPATCH", "PATTERN", "KEY", "PUBLIC_KEY",
		"PRIMARY_KEY", "CLIENT_ID", "TOKEN_FILE", "GOOGLE_APPLICATION_CREDENTIALS_PATH", "TOKEN_URL", "AUTH_MODE", "auth-type",
		"authProviderType", "PASSWORD_FILE", "SESSION_TIMEOUT", "USE_AUTH", "NO_AUTH", "ENABLE_AUTH", "no-auth", "SECRETARY", "PASSENGER",
		"COOKIE_DOMAIN", "STRING", "host", "TOKEN_LIMIT", "Idempotency-Key", "DEBUG", "project-ref", "oauth",
	}
	for _, n := range open {
		if NameLooksSecret(n) {
			t.Errorf("%q looks secret", n)
		}
	}
}
