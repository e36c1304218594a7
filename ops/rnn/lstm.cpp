// Recurrent networks: cells, and layers of them over whole and packed sequences.
#include <ATen/core/Tensor.h>

#include <ATen/ops/add.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/chunk.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/gru_cell_native.h>
#include <ATen/ops/gru_native.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/lstm_cell_native.h>
#include <ATen/ops/lstm_native.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/rnn_relu_cell_native.h>
#include <ATen/ops/rnn_relu_native.h>
#include <ATen/ops/rnn_tanh_cell_native.h>
#include <ATen/ops/rnn_tanh_native.h>
#include <ATen/ops/select.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/transpose.h>
#include <ATen/ops/unbind.h>

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

namespace at::native {

namespace {

enum class Kind { Lstm, Gru, Tanh, Relu };

// The number of gates, each of the hidden size.
int64_t gates_of(Kind kind) { return kind == Kind::Lstm ? 4 : kind == Kind::Gru ? 3 : 1; }

// The state that a cell passes to the next step; only an LSTM's has `cell`.
struct State {
  Tensor hidden, cell;

  State narrowed(int64_t first, int64_t count) const {
    return {hidden.narrow(0, first, count), cell.defined() ? cell.narrow(0, first, count) : cell};
  }
};

State joined(const std::vector<State>& states) {
  std::vector<Tensor> hidden, cells;
  for (const State& s : states) {
    hidden.push_back(s.hidden);
    if (s.cell.defined()) cells.push_back(s.cell);
  }
  return {at::cat(hidden, 0), cells.empty() ? Tensor() : at::cat(cells, 0)};
}

struct Weights {
  Tensor input, hidden, input_bias, hidden_bias;
  Tensor projection;  // undefined: none
};

// -------------------- One step

State lstm_step(const Tensor& input_gates, const State& state, const Weights& weights) {
  const Tensor all = at::add(at::linear(state.hidden, weights.hidden, weights.hidden_bias), input_gates);
  const std::vector<Tensor> gates = at::chunk(all, 4, 1);
  const Tensor kept = at::mul(at::sigmoid(gates[1]), state.cell);
  const Tensor cell = at::add(kept, at::mul(at::sigmoid(gates[0]), at::tanh(gates[2])));
  Tensor hidden = at::mul(at::sigmoid(gates[3]), at::tanh(cell));
  if (weights.projection.defined()) hidden = at::linear(hidden, weights.projection);
  return {std::move(hidden), cell};
}

State gru_step(const Tensor& input_gates, const State& state, const Weights& weights) {
  const std::vector<Tensor> given = at::chunk(input_gates, 3, 1);
  const std::vector<Tensor> own =
      at::chunk(at::linear(state.hidden, weights.hidden, weights.hidden_bias), 3, 1);
  const Tensor reset = at::sigmoid(at::add(own[0], given[0]));
  const Tensor update = at::sigmoid(at::add(own[1], given[1]));
  const Tensor fresh = at::tanh(at::add(given[2], at::mul(own[2], reset)));
  return {at::add(at::mul(at::sub(state.hidden, fresh), update), fresh), Tensor()};
}

State simple_step(Kind kind, const Tensor& input_gates, const State& state, const Weights& weights) {
  const Tensor sum = at::add(at::linear(state.hidden, weights.hidden, weights.hidden_bias), input_gates);
  return {kind == Kind::Tanh ? at::tanh(sum) : at::relu(sum), Tensor()};
}

State step(Kind kind, const Tensor& input_gates, const State& state, const Weights& weights) {
  if (kind == Kind::Lstm) return lstm_step(input_gates, state, weights);
  return kind == Kind::Gru ? gru_step(input_gates, state, weights)
                           : simple_step(kind, input_gates, state, weights);
}

// -------------------- Sequences

// The steps of one layer in one direction.
struct LayerResult {
  Tensor outputs;
  State last;
};

LayerResult run_whole(Kind kind, const Tensor& input, State state, const Weights& weights, bool reverse) {
  std::vector<Tensor> gates = at::unbind(at::linear(input, weights.input, weights.input_bias), 0), outputs;
  if (reverse) std::reverse(gates.begin(), gates.end());
  for (const Tensor& at_step : gates) {
    state = step(kind, at_step, state, weights);
    outputs.push_back(state.hidden);
  }
  if (reverse) std::reverse(outputs.begin(), outputs.end());
  return {at::stack(outputs, 0), std::move(state)};
}

// Packed sequences of a batch, longest first; sizes[t] of them have a step t, and steps are concatenated.
using BatchSizes = std::vector<int64_t>;

std::vector<Tensor> gates_by_step(const Tensor& data, const BatchSizes& sizes, const Weights& weights) {
  const Tensor all = at::linear(data, weights.input, weights.input_bias);
  std::vector<Tensor> gates;
  int64_t first = 0;
  for (int64_t size : sizes) {
    gates.push_back(all.narrow(0, first, size));
    first += size;
  }
  return gates;
}

LayerResult run_packed(Kind kind, const Tensor& data, const BatchSizes& sizes, const State& initial,
                       const Weights& weights) {
  const std::vector<Tensor> gates = gates_by_step(data, sizes, weights);
  std::vector<Tensor> outputs;
  std::vector<State> finished;  // the shortest sequences first
  State state = initial.narrowed(0, sizes[0]);
  for (size_t t = 0; t < sizes.size(); ++t) {
    const int64_t before = t == 0 ? sizes[0] : sizes[t - 1];
    if (sizes[t] < before) {
      finished.push_back(state.narrowed(sizes[t], before - sizes[t]));
      state = state.narrowed(0, sizes[t]);
    }
    state = step(kind, gates[t], state, weights);
    outputs.push_back(state.hidden);
  }
  finished.push_back(state);
  std::reverse(finished.begin(), finished.end());
  return {at::cat(outputs, 0), joined(finished)};
}

LayerResult run_packed_reversed(Kind kind, const Tensor& data, const BatchSizes& sizes, const State& initial,
                                const Weights& weights) {
  const std::vector<Tensor> gates = gates_by_step(data, sizes, weights);
  std::vector<Tensor> outputs(sizes.size());
  State state = initial.narrowed(0, sizes.back());
  for (size_t t = sizes.size(); t-- > 0;) {
    const int64_t before = t + 1 == sizes.size() ? sizes.back() : sizes[t + 1];
    if (sizes[t] > before) state = joined({state, initial.narrowed(before, sizes[t] - before)});
    state = step(kind, gates[t], state, weights);
    outputs[t] = state.hidden;
  }
  return {at::cat(outputs, 0), std::move(state)};
}

// -------------------- Layers

struct Network {
  Kind kind;
  int64_t layers;
  double dropout;
  bool train, bidirectional;
  std::vector<Weights> weights;  // by layer, then direction
  std::vector<State> initial;

  template <class Run>
  std::pair<Tensor, std::vector<State>> run(Tensor input, const Run& run_layer) const {
    const int64_t directions = bidirectional ? 2 : 1;
    std::vector<State> last;
    for (int64_t layer = 0; layer < layers; ++layer) {
      if (layer > 0 && train && dropout != 0) input = at::dropout(input, dropout, /*train=*/true);
      std::vector<Tensor> outputs;
      for (int64_t d = 0; d < directions; ++d) {
        const size_t index = layer * directions + d;
        LayerResult result = run_layer(input, initial[index], weights[index], d == 1);
        outputs.push_back(std::move(result.outputs));
        last.push_back(std::move(result.last));
      }
      input = outputs.size() == 1 ? outputs[0] : at::cat(outputs, outputs[0].dim() - 1);
    }
    return {std::move(input), std::move(last)};
  }
};

std::vector<Weights> gather_weights(Kind kind, TensorList params, bool has_biases, bool projected,
                                    int64_t groups) {
  const size_t each = 2 + (has_biases ? 2 : 0) + (projected ? 1 : 0);
  TORCH_CHECK(groups >= 0 && params.size() % each == 0 && params.size() / each == static_cast<size_t>(groups),
              "got an incorrect number of RNN parameters: ", params.size(), " for ", groups,
              " layers and directions of ", each);
  std::vector<Weights> all;
  for (size_t first = 0; first < params.size(); first += each) {
    Weights w{params[first], params[first + 1], Tensor(), Tensor(), Tensor()};
    if (has_biases) {
      w.input_bias = params[first + 2];
      w.hidden_bias = params[first + 3];
    }
    if (projected) w.projection = params[first + each - 1];
    TORCH_CHECK(w.input.dim() == 2 && w.hidden.dim() == 2 && w.input.size(0) % gates_of(kind) == 0,
                "expected weights that are matrices with a row for each of ", gates_of(kind), " gates, got ",
                w.input.sizes(), " and ", w.hidden.sizes());
    all.push_back(std::move(w));
  }
  return all;
}

Network network(Kind kind, const Tensor& hidden, const Tensor& cell, TensorList params, bool has_biases,
                int64_t num_layers, double dropout, bool train, bool bidirectional) {
  TORCH_CHECK(hidden.dim() == 3 && (!cell.defined() || cell.dim() == 3),
              "expected hidden states of 3 dimensions (layers and directions, batch, size), got ",
              hidden.sizes());
  TORCH_CHECK(num_layers > 0 && num_layers <= hidden.size(0), "num_layers must be positive and at most the ",
              "hidden states' first size ", hidden.size(0), ", got ", num_layers);
  const int64_t groups = num_layers * (bidirectional ? 2 : 1);
  TORCH_CHECK(hidden.size(0) == groups && (!cell.defined() || cell.size(0) == groups),
              "Expected hidden states for ", groups, " layers and directions, got ", hidden.size(0));
  const bool projected = cell.defined() && hidden.size(2) != cell.size(2);
  Network made{kind, num_layers, dropout, train, bidirectional, {}, {}};
  made.weights = gather_weights(kind, params, has_biases, projected, groups);
  for (int64_t i = 0; i < groups; ++i) {
    made.initial.push_back({hidden.select(0, i), cell.defined() ? cell.select(0, i) : Tensor()});
  }
  return made;
}

using Results = std::tuple<Tensor, Tensor, Tensor>;

Results stacked(Tensor output, const std::vector<State>& last) {
  std::vector<Tensor> hidden, cells;
  for (const State& s : last) {
    hidden.push_back(s.hidden);
    if (s.cell.defined()) cells.push_back(s.cell);
  }
  return {std::move(output), at::stack(hidden, 0), cells.empty() ? Tensor() : at::stack(cells, 0)};
}

Results whole(const Network& net, const Tensor& input, bool batch_first) {
  TORCH_CHECK(input.dim() == 3, "input must have 3 dimensions, got ", input.dim());
  const Tensor steps = batch_first ? input.transpose(0, 1) : input;
  TORCH_CHECK(steps.size(0) > 0, "Expected sequence length to be larger than 0 in RNN");
  TORCH_CHECK(steps.size(1) == net.initial[0].hidden.size(0), "Expected hidden states for a batch of ",
              steps.size(1), ", got ", net.initial[0].hidden.size(0));
  auto [output, last] = net.run(steps, [&](const Tensor& t, const State& s, const Weights& w, bool reverse) {
    return run_whole(net.kind, t, s, w, reverse);
  });
  return stacked(batch_first ? output.transpose(0, 1) : output, last);
}

Results packed(const Network& net, const Tensor& data, const Tensor& batch_sizes) {
  TORCH_CHECK(data.dim() == 2, "data of packed sequences must have 2 dimensions, got ", data.dim());
  TORCH_CHECK(batch_sizes.dim() == 1 && batch_sizes.scalar_type() == kLong && batch_sizes.device().is_cpu() &&
                  batch_sizes.numel() > 0,
              "batch_sizes must be a CPU tensor of int64 with one dimension and at least one element");
  const Tensor dense = batch_sizes.contiguous();
  const int64_t* numbers = dense.const_data_ptr<int64_t>();
  const BatchSizes sizes(numbers, numbers + dense.numel());
  int64_t total = 0;
  for (size_t t = 0; t < sizes.size(); ++t) {
    TORCH_CHECK(sizes[t] > 0 && (t == 0 || sizes[t] <= sizes[t - 1]),
                "batch_sizes must be positive and not increase, got ", sizes[t], " at step ", t);
    TORCH_CHECK(sizes[t] <= data.size(0) - total, "batch_sizes add up to more than the ", data.size(0),
                " rows of data");
    total += sizes[t];
  }
  TORCH_CHECK(total == data.size(0), "batch_sizes add up to ", total, ", but data has ", data.size(0),
              " rows");
  TORCH_CHECK(sizes[0] == net.initial[0].hidden.size(0), "Expected hidden states for a batch of ", sizes[0],
              ", got ", net.initial[0].hidden.size(0));
  auto [output, last] = net.run(data, [&](const Tensor& t, const State& s, const Weights& w, bool reverse) {
    return reverse ? run_packed_reversed(net.kind, t, sizes, s, w) : run_packed(net.kind, t, sizes, s, w);
  });
  return stacked(output, last);
}

std::tuple<Tensor, Tensor> without_cell(const Results& results) {
  return {std::get<0>(results), std::get<1>(results)};
}

void check_states(TensorList hx) {
  TORCH_CHECK(hx.size() == 2, "lstm expects two hidden states, got ", hx.size());
}

}  // namespace

// -------------------- Networks

std::tuple<Tensor, Tensor, Tensor> lstm(const Tensor& input, TensorList hx, TensorList params,
                                        bool has_biases, int64_t num_layers, double dropout, bool train,
                                        bool bidirectional, bool batch_first) {
  check_states(hx);
  return whole(
      network(Kind::Lstm, hx[0], hx[1], params, has_biases, num_layers, dropout, train, bidirectional), input,
      batch_first);
}

std::tuple<Tensor, Tensor, Tensor> lstm(const Tensor& data, const Tensor& batch_sizes, TensorList hx,
                                        TensorList params, bool has_biases, int64_t num_layers,
                                        double dropout, bool train, bool bidirectional) {
  check_states(hx);
  return packed(
      network(Kind::Lstm, hx[0], hx[1], params, has_biases, num_layers, dropout, train, bidirectional), data,
      batch_sizes);
}

std::tuple<Tensor, Tensor> gru(const Tensor& input, const Tensor& hx, TensorList params, bool has_biases,
                               int64_t num_layers, double dropout, bool train, bool bidirectional,
                               bool batch_first) {
  return without_cell(
      whole(network(Kind::Gru, hx, Tensor(), params, has_biases, num_layers, dropout, train, bidirectional),
            input, batch_first));
}

std::tuple<Tensor, Tensor> gru(const Tensor& data, const Tensor& batch_sizes, const Tensor& hx,
                               TensorList params, bool has_biases, int64_t num_layers, double dropout,
                               bool train, bool bidirectional) {
  return without_cell(
      packed(network(Kind::Gru, hx, Tensor(), params, has_biases, num_layers, dropout, train, bidirectional),
             data, batch_sizes));
}

std::tuple<Tensor, Tensor> rnn_tanh(const Tensor& input, const Tensor& hx, TensorList params, bool has_biases,
                                    int64_t num_layers, double dropout, bool train, bool bidirectional,
                                    bool batch_first) {
  return without_cell(
      whole(network(Kind::Tanh, hx, Tensor(), params, has_biases, num_layers, dropout, train, bidirectional),
            input, batch_first));
}

std::tuple<Tensor, Tensor> rnn_tanh(const Tensor& data, const Tensor& batch_sizes, const Tensor& hx,
                                    TensorList params, bool has_biases, int64_t num_layers, double dropout,
                                    bool train, bool bidirectional) {
  return without_cell(
      packed(network(Kind::Tanh, hx, Tensor(), params, has_biases, num_layers, dropout, train, bidirectional),
             data, batch_sizes));
}

std::tuple<Tensor, Tensor> rnn_relu(const Tensor& input, const Tensor& hx, TensorList params, bool has_biases,
                                    int64_t num_layers, double dropout, bool train, bool bidirectional,
                                    bool batch_first) {
  return without_cell(
      whole(network(Kind::Relu, hx, Tensor(), params, has_biases, num_layers, dropout, train, bidirectional),
            input, batch_first));
}

std::tuple<Tensor, Tensor> rnn_relu(const Tensor& data, const Tensor& batch_sizes, const Tensor& hx,
                                    TensorList params, bool has_biases, int64_t num_layers, double dropout,
                                    bool train, bool bidirectional) {
  return without_cell(
      packed(network(Kind::Relu, hx, Tensor(), params, has_biases, num_layers, dropout, train, bidirectional),
             data, batch_sizes));
}

// -------------------- Cells

namespace {

void check_cell(Kind kind, const Tensor& input, const Tensor& hidden, const Weights& weights) {
  TORCH_CHECK(weights.input.dim() == 2 && weights.hidden.dim() == 2,
              "expected weights that are matrices, got ", weights.input.sizes(), " and ",
              weights.hidden.sizes());
  TORCH_CHECK(input.dim() == 2 && hidden.dim() == 2, "expected input and hidden of 2 dimensions, got ",
              input.sizes(), " and ", hidden.sizes());
  TORCH_CHECK(input.size(1) == weights.input.size(1), "input has inconsistent input_size: got ",
              input.size(1), " expected ", weights.input.size(1));
  TORCH_CHECK(input.size(0) == hidden.size(0), "Input batch size ", input.size(0),
              " doesn't match hidden batch size ", hidden.size(0));
  const int64_t size = weights.input.size(0) / gates_of(kind);
  TORCH_CHECK(hidden.size(1) == size && weights.input.size(0) % gates_of(kind) == 0,
              "hidden has inconsistent hidden_size: got ", hidden.size(1), ", expected ", size);
}

State run_cell(Kind kind, const Tensor& input, const State& state, const Tensor& w_ih, const Tensor& w_hh,
               const std::optional<Tensor>& b_ih, const std::optional<Tensor>& b_hh) {
  const Weights weights{w_ih, w_hh, b_ih.value_or(Tensor()), b_hh.value_or(Tensor()), Tensor()};
  check_cell(kind, input, state.hidden, weights);
  return step(kind, at::linear(input, weights.input, weights.input_bias), state, weights);
}

}  // namespace

std::tuple<Tensor, Tensor> lstm_cell(const Tensor& input, TensorList hx, const Tensor& w_ih,
                                     const Tensor& w_hh, const std::optional<Tensor>& b_ih,
                                     const std::optional<Tensor>& b_hh) {
  check_states(hx);
  TORCH_CHECK(hx[1].sizes() == hx[0].sizes(), "expected hidden states of the same sizes, got ", hx[0].sizes(),
              " and ", hx[1].sizes());
  const State next = run_cell(Kind::Lstm, input, {hx[0], hx[1]}, w_ih, w_hh, b_ih, b_hh);
  return {next.hidden, next.cell};
}

Tensor gru_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh,
                const std::optional<Tensor>& b_ih, const std::optional<Tensor>& b_hh) {
  return run_cell(Kind::Gru, input, {hx, Tensor()}, w_ih, w_hh, b_ih, b_hh).hidden;
}

Tensor rnn_tanh_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh,
                     const std::optional<Tensor>& b_ih, const std::optional<Tensor>& b_hh) {
  return run_cell(Kind::Tanh, input, {hx, Tensor()}, w_ih, w_hh, b_ih, b_hh).hidden;
}

Tensor rnn_relu_cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh,
                     const std::optional<Tensor>& b_ih, const std::optional<Tensor>& b_hh) {
  return run_cell(Kind::Relu, input, {hx, Tensor()}, w_ih, w_hh, b_ih, b_hh).hidden;
}

}  // namespace at::native
