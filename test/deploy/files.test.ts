import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { optionNames, variableName } from '../../src/config/options.ts';
import { environmentOf, finalStage, only } from './dockerfile.ts';

const stage = finalStage('deploy/Dockerfile');
const { mcpName } = JSON.parse(readFileSync('package.json', 'utf8'));
const compose = read('compose/compose.yaml')[0];
const [deployment] = read('kubernetes/deployment.yaml');
const pod = deployment.spec.template.spec;
const [container] = pod.containers;
const [migrate] = pod.initContainers;
const replicas = ['mneme-1', 'mneme-2', 'mneme-3'].map((name) => compose.services[name]);

describe('each setting for the program', () => {
  const known = optionNames.map(variableName);

  it.each([
    ['the image', Object.keys(environmentOf(stage))],
    ['compose', Object.keys(replicas[0].environment)],
    ['Kubernetes', container.env.map(({ name }: { name: string }) => name)],
  ])('is an existing option: %s', (_, names: string[]) => {
    const set = names.filter((name) => name.startsWith('MNEME_'));

    expect(set.length).toBeGreaterThan(0);
    expect(set.filter((name) => !known.includes(name))).toEqual([]);
  });
});

describe('the image', () => {
  it('ends with a user who is not root, a health check and a signal', () => {
    expect(only(stage, 'USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(only(stage, 'HEALTHCHECK')).toContain('/healthz');
    expect(only(stage, 'STOPSIGNAL')).toBe('SIGTERM');
    expect(stage.filter(({ name }) => name === 'RUN')).toEqual([]);
  });

  it('describes itself, also to registries', () => {
    const labels = only(stage, 'LABEL');

    expect(labels).toContain('org.opencontainers.image.licenses="MIT"');
    expect(labels).toContain(`io.modelcontextprotocol.server.name="${mcpName}"`);
    expect(labels).toContain(`image.base.name="${only(stage, 'FROM')}"`);
  });
});

describe('compose', () => {
  it('has replicas that write no files, have no rights and wait for the tables', () => {
    for (const replica of replicas) {
      expect(replica).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        depends_on: { migrate: { condition: 'service_completed_successfully' } },
        healthcheck: { test: expect.arrayContaining([expect.stringContaining('/readyz')]) },
      });
    }
  });

  it('gives a replica enough time to stop', () => {
    const delay = Number(environmentOf(stage).MNEME_SHUTDOWN_DELAY_MS) / 1000;

    expect(Number.parseInt(replicas[0].stop_grace_period, 10)).toBeGreaterThan(delay + 15);
  });

  it('lets only the owner of the tables create them', () => {
    expect(compose.services.migrate.environment.MNEME_DATABASE_URL).toContain('//mneme_owner:');
    expect(replicas[0].environment.MNEME_DATABASE_URL).toContain('//mneme:');
  });

  it('lets the proxy only write certificates and listen', () => {
    expect(compose.services.proxy).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      cap_add: ['NET_BIND_SERVICE'],
      security_opt: ['no-new-privileges:true'],
    });
  });

  it('exposes only the proxy, which knows all replicas', () => {
    const { services } = compose;
    const open = Object.keys(services).filter((name) => services[name].ports !== undefined);
    const caddyfile = readFileSync('deploy/compose/Caddyfile', 'utf8');

    expect(open).toEqual(['proxy']);
    expect(services.database.networks).toEqual(['inside']);
    expect(compose.networks.inside.internal).toBe(true);
    expect(caddyfile).toContain('mneme-1:8787 mneme-2:8787 mneme-3:8787');
    expect(caddyfile).toContain('health_uri /readyz');
  });

  it('has an example of every required setting', () => {
    const example = readFileSync('deploy/compose/.env.example', 'utf8');
    const text = readFileSync('deploy/compose/compose.yaml', 'utf8');
    const needed = [...text.matchAll(/\$\{(\w+):\?\}/g)].map(([, name = '']) => name);

    expect(needed.length).toBeGreaterThan(0);
    expect(needed.filter((name) => !example.includes(`${name}=`))).toEqual([]);
  });
});

describe('Kubernetes', () => {
  it('sends requests to ready replicas, and restarts only dead ones', () => {
    expect(container.readinessProbe.httpGet.path).toBe('/readyz');
    expect(container.livenessProbe.httpGet.path).toBe('/healthz');
  });

  it('sets no variables for services: those of one called mneme would look like options', () => {
    expect(pod.enableServiceLinks).toBe(false);
  });

  it('removes no replica before another one is ready', () => {
    const [disruption] = read('kubernetes/disruption.yaml');

    expect(deployment.spec.replicas).toBeGreaterThan(1);
    expect(deployment.spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
    expect(disruption).toMatchObject({ kind: 'PodDisruptionBudget', spec: { maxUnavailable: 1 } });
    expect(disruption.spec.selector).toEqual(deployment.spec.selector);
  });

  it('continues until it was found not ready, and then has time to stop', () => {
    const { periodSeconds, failureThreshold } = container.readinessProbe;
    const delay = container.env.find(
      ({ name }: { name: string }) => name === 'MNEME_SHUTDOWN_DELAY_MS',
    );
    const seconds = Number(delay.value) / 1000;

    expect(seconds).toBeGreaterThan(periodSeconds * failureThreshold);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(seconds + 15);
  });

  it.each([
    ['its migration', migrate],
    ['a replica', container],
  ])('gives %s no rights and a read-only file system', (_, { securityContext }) => {
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 65532,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  it('reads from the secret what the example has', () => {
    const [secret] = read('kubernetes/secret.example.yaml');
    const used = [...pod.initContainers, ...pod.containers].flatMap(({ env }) =>
      env.flatMap(({ valueFrom }: { valueFrom?: { secretKeyRef: { key: string } } }) =>
        valueFrom === undefined ? [] : [valueFrom.secretKeyRef.key],
      ),
    );

    expect([...new Set(used)].sort()).toEqual(Object.keys(secret.stringData).sort());
  });

  it('has a service that finds the replicas, and lists all its files', () => {
    const [service] = read('kubernetes/service.yaml');
    const [{ resources }] = read('kubernetes/kustomization.yaml');

    expect(deployment.spec.template.metadata.labels).toMatchObject(service.spec.selector);
    expect(service.spec.ports[0].targetPort).toBe(container.ports[0].name);
    expect(resources).toEqual(['deployment.yaml', 'service.yaml', 'disruption.yaml']);
  });
});

/** Documents of a file, of any shape: the test says what it looks for. */
function read(path: string) {
  const text = readFileSync(`deploy/${path}`, 'utf8');
  return parseAllDocuments(text, { merge: true }).map((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    return document.toJS();
  });
}
