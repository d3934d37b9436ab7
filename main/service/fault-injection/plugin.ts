import plugin from 'fastify-plugin';
import type { ServicePlugin } from '../app.ts';
import type { createClientMonitor } from './client-monitor.ts';
import type { FaultInjection } from './fault-injection.ts';
import type { MovableClock } from './movable-clock.ts';

type PluginParts = {
  faultInjection: FaultInjection | undefined;
  clientMonitor: ReturnType<typeof createClientMonitor> | undefined;
  movableClock: MovableClock | undefined;
};

/** The Fastify plugin with all hooks of `fault-injection/`. */
export function createPlugin({ faultInjection, clientMonitor, movableClock }: PluginParts): ServicePlugin {
  const addHooks: ServicePlugin = async (app, dependencies) => {
    faultInjection?.addHooks(app, dependencies);
    clientMonitor?.addHooks(app, dependencies.now);
    if (!movableClock) return;
    // Otherwise Node dates responses by the computer's clock.
    app.addHook('onRequest', (_request, reply, done) => {
      reply.header('date', new Date(movableClock.now()).toUTCString());
      done();
    });
  };
  return plugin(addHooks, { name: 'fault-injection', fastify: '5.x' });
}
