import autocannon from 'autocannon';

const CONNECTIONS = 20;

export type Rate = { answers: number; perSecond: number };

/**
 * Measures how many requests a second a server answers when 20 connections ask without a pause.
 * @throws Error when an answer was not 2xx, or none came
 */
export async function rateOf(url: string, headers: Record<string, string>, seconds: number): Promise<Rate> {
  // autocannon looks at the time only when it takes a sample.
  const sampleInt = Math.min(seconds * 1000, 1000);
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: seconds, sampleInt });
  if (result.errors > 0 || result.non2xx > 0 || result['2xx'] === 0) {
    throw new Error(`${url}: ${result['2xx']} good answers, ${result.non2xx} others, ${result.errors} errors`);
  }
  return { answers: result['2xx'], perSecond: result['2xx'] / result.duration };
}
