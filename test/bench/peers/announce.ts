/** What a server's process tells its parent once it answers. */
export type Announced = { baseUrl: string };

/** Tells the parent the address, answers its questions about processor time, and ends when the parent is gone. */
export function announce(announced: Announced): void {
  process.on('message', () => process.send?.({ cpuMicroseconds: cpuMicroseconds() }));
  process.once('disconnect', () => process.exit(0));
  process.send?.(announced);
}

function cpuMicroseconds(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Reads the one argument that the parent gave, which is JSON. */
export function argument(): unknown {
  return JSON.parse(process.argv[2] ?? 'null');
}
