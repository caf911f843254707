// The health check of a container: asks the service in it whether it is alive, with its own Node, as slim images have no curl.
//   node infra/docker/is-alive.mjs API_PORT 8080
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

const [variable, usual] = process.argv.slice(2);
const { TLS_CERT, TLS_CERT_FILE } = process.env;
// Asked by its loopback address, which no certificate names; nobody else answers there.
const request = TLS_CERT || TLS_CERT_FILE ? requestHttps : requestHttp;
const asked = request({
  host: '127.0.0.1',
  port: process.env[variable] || usual,
  path: '/healthz',
  rejectUnauthorized: false,
  timeout: 4_000,
});
const fail = (reason) => {
  console.error(reason);
  process.exit(1);
};
asked.on('response', ({ statusCode }) =>
  statusCode === 200 ? process.exit(0) : fail(`/healthz answers ${statusCode}`),
);
asked.on('timeout', () => fail('/healthz does not answer'));
asked.on('error', ({ message }) => fail(message));
asked.end();
