// A model in C++: a Node-API addon with the functions of a script. Adds 1 to every FP32 of VALUE.
#include <node_api.h>

#include <cstddef>

namespace {

napi_value Property(napi_env env, napi_value object, const char* name) {
  napi_value value;
  napi_get_named_property(env, object, name, &value);
  return value;
}

// { outputs: { SUM: { shape, data } } } for one request.
napi_value Answer(napi_env env, napi_value request) {
  napi_value input = Property(env, Property(env, request, "inputs"), "VALUE");
  napi_value data = Property(env, input, "data");
  size_t length = 0;
  size_t offset = 0;
  void* bytes = nullptr;
  napi_value buffer;
  napi_typedarray_type type;
  napi_get_typedarray_info(env, data, &type, &length, &bytes, &buffer, &offset);
  if (type != napi_float32_array) {
    napi_throw_type_error(env, nullptr, "VALUE must be FP32");
    return nullptr;
  }
  void* made = nullptr;
  napi_value fresh;
  napi_create_arraybuffer(env, length * sizeof(float), &made, &fresh);
  const float* from = static_cast<const float*>(bytes);
  float* to = static_cast<float*>(made);
  for (size_t at = 0; at < length; ++at) to[at] = from[at] + 1.0f;
  napi_value array, tensor, outputs, response;
  napi_create_typedarray(env, napi_float32_array, length, fresh, 0, &array);
  napi_create_object(env, &tensor);
  napi_set_named_property(env, tensor, "shape", Property(env, input, "shape"));
  napi_set_named_property(env, tensor, "data", array);
  napi_create_object(env, &outputs);
  napi_set_named_property(env, outputs, "SUM", tensor);
  napi_create_object(env, &response);
  napi_set_named_property(env, response, "outputs", outputs);
  return response;
}

// execute(requests): one response for each request.
napi_value Execute(napi_env env, napi_callback_info info) {
  size_t count = 1;
  napi_value requests;
  napi_get_cb_info(env, info, &count, &requests, nullptr, nullptr);
  uint32_t length = 0;
  napi_get_array_length(env, requests, &length);
  napi_value responses;
  napi_create_array_with_length(env, length, &responses);
  for (uint32_t at = 0; at < length; ++at) {
    napi_value request;
    napi_get_element(env, requests, at, &request);
    napi_value response = Answer(env, request);
    if (response == nullptr) return nullptr;
    napi_set_element(env, responses, at, response);
  }
  return responses;
}

napi_value Init(napi_env env, napi_value exports) {
  napi_value execute;
  napi_create_function(env, "execute", NAPI_AUTO_LENGTH, Execute, nullptr, &execute);
  napi_set_named_property(env, exports, "execute", execute);
  return exports;
}

}  // namespace

NAPI_MODULE(NODE_GYP_MODULE_NAME, Init)
