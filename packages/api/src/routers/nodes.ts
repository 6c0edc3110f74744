import {
  addNode,
  addNodeInput,
  cordonNode,
  cordonNodeInput,
  drainNode,
  drainNodeInput,
  editNode,
  editNodeInput,
  getNode,
  listNodeChoices,
  listNodes,
  modelInput,
  modelOnNodes,
  nodeInput,
  nodeReadings,
  nodeReadingsInput,
  probeNode,
  removeNode,
  removeNodeInput,
  testNodeInput,
} from "@nereid/services";
import { z } from "zod";
import {
  addedNode,
  modelOnNode,
  nodeChoice,
  nodeDetail,
  nodeProbe,
  nodeReadingsAnswer,
  nodeRow,
} from "../rest/node-schemas.ts";
import { router, viewerProcedure } from "../trpc.ts";

export const nodesRouter = router({
  list: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/nodes",
        summary: "Every server that the dashboard looks after, with its state and figures",
        permission: "model.read",
        output: { name: "Nodes", schema: z.array(nodeRow) },
      },
    })
    .query(({ ctx }) => listNodes({ ctx: ctx.service })),
  choices: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/nodes/choices",
        summary: "The nodes that a request may name, without asking them",
        permission: "model.read",
        output: { name: "NodeChoices", schema: z.array(nodeChoice) },
      },
    })
    .query(({ ctx }) => listNodeChoices({ ctx: ctx.service })),
  get: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/nodes/{id}",
        summary: "One node with the models that lie on it and what was done to them",
        permission: "model.read",
        output: { name: "NodeDetail", schema: nodeDetail },
      },
    })
    .input(nodeInput)
    .query(({ ctx, input }) => getNode({ ctx: ctx.service, input })),
  readings: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/nodes/{id}/readings",
        summary: "How busy a node was: processor, memory, event loop, GPUs, traffic",
        permission: "metrics.read",
        output: { name: "NodeReadings", schema: nodeReadingsAnswer },
      },
    })
    .input(nodeReadingsInput)
    .query(({ ctx, input }) => nodeReadings({ ctx: ctx.service, input })),
  model: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/models/{name}/nodes",
        summary: "The same model on every node",
        permission: "model.read",
        output: { name: "ModelOnNodes", schema: z.array(modelOnNode) },
      },
    })
    .input(modelInput)
    .query(({ ctx, input }) => modelOnNodes({ ctx: ctx.service, input })),
  add: viewerProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/nodes",
        summary: "Look after another server",
        permission: "node.manage",
        output: { name: "AddedNode", schema: addedNode },
      },
    })
    .input(addNodeInput)
    .mutation(({ ctx, input }) => addNode({ ctx: ctx.service, input })),
  edit: viewerProcedure
    .meta({
      rest: {
        method: "PUT",
        path: "/nodes/{id}",
        summary: "Change how a node is called and reached; without a key the old one is kept",
        permission: "node.manage",
      },
    })
    .input(editNodeInput)
    .mutation(({ ctx, input }) => editNode({ ctx: ctx.service, input })),
  remove: viewerProcedure
    .meta({
      rest: {
        method: "DELETE",
        path: "/nodes/{id}",
        summary: "Leave a node alone; its server goes on",
        permission: "node.manage",
      },
    })
    .input(removeNodeInput)
    .mutation(({ ctx, input }) => removeNode({ ctx: ctx.service, input })),
  test: viewerProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/nodes/test",
        summary: "Ask a server as it would be asked as a node",
        permission: "node.manage",
        output: { name: "NodeProbe", schema: nodeProbe },
      },
    })
    .input(testNodeInput)
    .mutation(({ ctx, input }) => probeNode({ ctx: ctx.service, input })),
  cordon: viewerProcedure
    .meta({
      rest: {
        method: "PUT",
        path: "/nodes/{id}/cordoned",
        summary: "Let a node take no more models, or again",
        permission: "node.operate",
      },
    })
    .input(cordonNodeInput)
    .mutation(({ ctx, input }) => cordonNode({ ctx: ctx.service, input })),
  drain: viewerProcedure
    .meta({
      rest: {
        method: "PUT",
        path: "/nodes/{id}/draining",
        summary: "Take a node out of service while it answers what still comes, or put it back",
        permission: "node.operate",
      },
    })
    .input(drainNodeInput)
    .mutation(({ ctx, input }) => drainNode({ ctx: ctx.service, input })),
});
