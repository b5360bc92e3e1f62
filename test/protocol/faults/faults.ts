import { once } from "node:events";
import { OLD } from "./device";
import { type Answer, BUSINESS, type Exchange, type Fault, passOn } from "./service";

/** The service does not carry out the request, and answers with this. */
export function answers(status: number, headers: Readonly<Record<string, string>> = {}, body = ""): Fault {
  return ({ response }) => response.writeHead(status, headers).end(body);
}

/** A page of another server in the service's place, which carries out nothing. */
export function answersPage(status: number): Fault {
  return answers(status, { "content-type": "text/html" }, "<html><h1>Sign in to the network</h1></html>");
}

/** The service carries out the request; its answer is another. */
export function answersAfter(change: (answer: Answer) => Partial<Answer>): Fault {
  return async ({ response, carryOut }) => {
    const answer = await carryOut();
    const { status, body } = { ...answer, ...change(answer) };
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  };
}

/** A redirect to the same server, or to another one. */
export function redirects(status: number, to: "same" | "other"): Fault {
  return ({ service, request, response }) => {
    const origin = to === "same" ? service.url : service.urlElsewhere;
    response.writeHead(status, { location: `${origin}${request.url}?moved` }).end();
  };
}

/** The connection is reset before the service has looked at the request. */
export const resetsBefore: Fault = ({ request }) => request.socket.resetAndDestroy();

/** The connection is reset when the service has applied the first of the settings sent, or a part of its answer is out. */
export const resetsDuring: Fault = ({ service, deviceId, request, body }) => {
  const [first] = Object.entries(JSON.parse(body || "{}"));
  if (first) service.simulator.appUserSets(BUSINESS, deviceId, Object.fromEntries([first]));
  request.socket.write("HTTP/1.1 2", () => request.socket.resetAndDestroy());
};

/** The service carries out the request; the connection is reset instead of an answer. */
export const resetsAfter: Fault = async ({ request, carryOut }) => {
  await carryOut();
  request.socket.resetAndDestroy();
};

/** No answer, and no end of the connection. */
export const staysSilent: Fault = () => {};

/** The service carries out the request and sends the beginning of its body, then now and then a space. */
export const answersSlowly: Fault = async ({ response, carryOut }) => {
  const { status, body } = await carryOut();
  response.writeHead(status).write(body.slice(0, body.length / 2) || " ");
  const dripping = setInterval(() => response.write(" "), 50);
  response.once("close", () => clearInterval(dripping));
};

/** The service carries out the request; its connection ends in the middle of the body. */
export const cutsBody: Fault = (exchange) => sendsLength(exchange, (length) => length * 2 || 10, true);

/** The service carries out the request; more is promised than comes, and the connection stays. */
export const promisesTooMuch: Fault = (exchange) => sendsLength(exchange, (length) => length * 2 || 10, false);

/** The service carries out the request; more comes than is promised. */
export const promisesTooLittle: Fault = (exchange) => sendsLength(exchange, (length) => Math.floor(length / 2), false);

async function sendsLength({ request, carryOut }: Exchange, promised: (length: number) => number, ends: boolean) {
  const { status, body } = await carryOut();
  const sent = body || "extra";
  const head = `HTTP/1.1 ${status} OK\r\nContent-Length: ${promised(body.length)}\r\n\r\n`;
  request.socket.write(head + sent, () => ends && request.socket.destroy());
}

/** The service carries out the request; its answer has 100 MB. */
export const answersHugely: Fault = async ({ service, response, request, carryOut }) => {
  await carryOut();
  const before = request.socket.bytesWritten;
  const chunk = Buffer.alloc(64 * 1024, " ");
  const closed = once(response, "close");
  response.writeHead(200);
  for (let sent = 0; sent < 100 * 1024 * 1024 && !response.destroyed; sent += chunk.length) {
    if (!response.write(chunk)) await Promise.race([once(response, "drain"), closed]);
  }
  response.end();
  service.largestAnswer = Math.max(service.largestAnswer, request.socket.bytesWritten - before);
};

/** Each request meets the next fault, from the first again after the last. */
export function alternately(...faults: [Fault, ...Fault[]]): Fault {
  return (exchange) => faults[(exchange.count - 1) % faults.length]?.(exchange);
}

/** The service accepts the request and does nothing. */
export const ignores: Fault = answers(200);

/** The cached read shows what the device was at first. */
export const showsPast: Fault = answersAfter(({ body }) => ({
  body: JSON.stringify({ ...JSON.parse(body), ...OLD }),
}));

/** Before the service looks at the request, somebody else writes a setting of ours and one that is not ours. */
export const meetsWriter: Fault = async (exchange) => {
  const settings = { max_capacity: 70_000, policy: "CHARGE BY FORECAST" };
  exchange.service.simulator.appUserSets(BUSINESS, exchange.deviceId, settings);
  await passOn(exchange);
};
