// TEST ONLY. A self-signed certificate and its key for the simulated hosts' TLS, public by being here: it secures
// nothing and must never be used outside the simulated world. Node cannot issue certificates, hence data.
// Made with: openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500
//   -subj /CN=test-only.mxproof.example -addext subjectAltName=DNS:test-only.mxproof.example,DNS:localhost

export const TEST_ONLY_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIB0zCCAXigAwIBAgIUHbHo5I8Yrv4gDUTBOdJKXKYvdC8wCgYIKoZIzj0EAwIw
JDEiMCAGA1UEAwwZdGVzdC1vbmx5Lm14cHJvb2YuZXhhbXBsZTAgFw0yNjExMTUw
MzE1NDZaGA8yMTI2MTAyMjAzMTU0NlowJDEiMCAGA1UEAwwZdGVzdC1vbmx5Lm14
cHJvb2YuZXhhbXBsZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABM69SU/YG2sF
4AVDljp9y7cZsGK5gNdksXepaDABIDOn3Ho9vOPMN46XEPjHQZiBc4BOVWt/uJA2
ZBbSmFI7LnKjgYUwgYIwHQYDVR0OBBYEFItXlnCwEqR6nHI/KbYWn+CxfvWbMB8G
A1UdIwQYMBaAFItXlnCwEqR6nHI/KbYWn+CxfvWbMA8GA1UdEwEB/wQFMAMBAf8w
LwYDVR0RBCgwJoIZdGVzdC1vbmx5Lm14cHJvb2YuZXhhbXBsZYIJbG9jYWxob3N0
MAoGCCqGSM49BAMCA0kAMEYCIQCNSd8Ic0FPfqgejgoRy8Lv4qjseTgF3PSZxQql
7Cl8XgIhAMVEaWx5lYv0NR9r5h8aaXKg1ZkE8fXv6FKewsb5l6l+
-----END CERTIFICATE-----
`;

export const TEST_ONLY_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjdFdt2ZR6cKn66eA
3v7m6p7/w4MEhXI2o7wBRvFUAxahRANCAATOvUlP2BtrBeAFQ5Y6fcu3GbBiuYDX
ZLF3qWgwASAzp9x6PbzjzDeOlxD4x0GYgXOATlVrf7iQNmQW0phSOy5y
-----END PRIVATE KEY-----
`;
