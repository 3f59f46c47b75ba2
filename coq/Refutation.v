(** * Refutation trees (certificates/facts.py and refutation.py)

    A formula is valid when assuming that it fails is contradictory.  Facts and unknowns are numbered as in Python, so that both
    checkers read the same trees. *)
From Tallystick Require Export Rewriting.

Definition form := (list (term * Z) * Z)%type.
Inductive fact := Atom (f : form) | Disj (branches : list (list (term * bool))).
Inductive tree :=
  | Case (fact : nat) (branches : list tree)
  | Split (coefficients : list (nat * Z)) (bound : Z) (below above : tree)
  | Cut (multipliers : list (nat * Z)) (rest : tree)
  | Congruent (first second : nat) (rest : tree)
  | Farkas (multipliers : list (nat * Z)).

Fixpoint add_to (t : term) (z : Z) (l : list (term * Z)) : list (term * Z) :=
  match l with
  | [] => [(t, z)]
  | (u, y) :: l => if term_eqb u t then (u, y + z) :: l else (u, y) :: add_to t z l
  end.
Definition total (parts : list (Z * form)) : form :=
  let sum := fold_left (fun acc part => let '(m, (l, c)) := part in
    (fold_left (fun k tz => add_to (fst tz) (m * snd tz) k) l (fst acc), snd acc + m * c)) parts ([], 0) in
  (filter (fun tz => negb (snd tz =? 0)) (fst sum), snd sum).
Definition tightened (f : form) : form :=
  let g := fold_right (fun tz g => Z.gcd (snd tz) g) 0 (fst f) in
  if (0 <? g) && forallb (fun tz => snd tz mod g =? 0) (fst f)
  then (map (fun tz => (fst tz, snd tz / g)) (fst f), - (- snd f / g)) else f.
Definition one : form := ([], 1).

(** What reads a part of a tuple or option. *)
Definition reads (o : op) : bool := match o with Proj _ | IsNone | ValueOf _ => true | _ => false end.
Fixpoint reach (t : term) : term :=
  match t with
  | Op o [x] =>
      if reads o then match reach x with
      | Op Ite [c; y; z] => Op Ite [c; mk o [y]; mk o [z]]
      | inner => mk o [inner]
      end else t
  | _ => t
  end.
Fixpoint root (t : term) : term := match t with Op o [x] => if reads o then root x else t | _ => t end.
Fixpoint linear (fuel : nat) (t : term) : form :=
  match fuel with O => ([(t, 1)], 0) | Datatypes.S fuel =>
  match t with
  | Int z => ([], z) | Text "" => ([], 0)
  | Op Add args => total (map (fun x => (1, linear fuel x)) args)
  | Op (Scale c) [x] => total [(c, linear fuel x)]
  | Op (Mod c) [x] => total [(1, linear fuel x); (- c, ([(Op (Div c) [x], 1)], 0))]
  | _ => let u := reach t in if term_eqb u t then ([(t, 1)], 0) else linear fuel u
  end end.

Definition key := option (term * bool).
Definition checked (t : term) {A} (l : list A) : list A := if is (type t) TBool then l else [].
(** [x] exactly where [y], shorter where one is a constant. *)
Definition equivalence (x y : term) : term :=
  if term_eqb x tt' then y else if term_eqb x ff' then mk Not [y] else
  if term_eqb y tt' then x else if term_eqb y ff' then mk Not [x] else eq' x y.
Fixpoint lower (fuel : nat) (t : term) (h : bool) : list (key * fact) :=
  match fuel with O => [] | Datatypes.S fuel =>
  match t with
  | Bool b => if Bool.eqb b h then [] else [(None, Atom one)]
  | Op Not [x] => lower fuel x (negb h)
  | Op And args => if h then flat_map (fun x => lower fuel x h) args else [(Some (t, h), Disj (map (fun x => [(x, h)]) args))]
  | Op Or args => if h then [(Some (t, h), Disj (map (fun x => [(x, h)]) args))] else flat_map (fun x => lower fuel x h) args
  | Op Ite [c; x; y] => [(Some (t, h), Disj [[(c, true); (x, h)]; [(c, false); (y, h)]])]
  | Op Equal [x; y] =>
      match type x with
      | Some TBool => [(Some (t, h), Disj [[(x, true); (y, h)]; [(x, false); (y, negb h)]])]
      | Some TInt => lower fuel (conj [Op LessEq [x; y]; Op LessEq [y; x]]) h
      | Some TText => lower fuel (conj [Op LessEq [x; y]; Op LessEq [y; x]]) h
      | Some (TOpt t) =>
          let e := is_none' x in let o := is_none' y in
          lower fuel (conj [equivalence e o; disj [e; eq' (value_of t x) (value_of t y)]]) h
      | Some (TTup ts) =>
          let parts := map (fun i => eq' (proj x i) (proj y i)) (seq 0 (List.length ts)) in
          checked (Op And parts) (lower fuel (conj parts) h)
      | _ => []
      end
  | Op Less [x; y] => lower fuel (Op LessEq [y; x]) (negb h)
  | Op LessEq [x; y] =>
      let '(sign, offset) := if h then (1, 0) else (-1, 1) in
      [(Some (t, h), Atom (tightened (total [(sign, linear fuel x); (- sign, linear fuel y); (offset, one)])))]
  | _ =>
      let u := reach t in
      if term_eqb u t then [(Some (t, h), Atom (if h then ([(t, -1)], 1) else ([(t, 1)], 0)))]
      else checked u (lower fuel u h)
  end end.
Definition key_eqb (k l : key) := match k, l with
  | None, None => true | Some (t, h), Some (u, i) => Bool.eqb h i && term_eqb t u | _, _ => false end.
Fixpoint uniq_keys (l : list (key * fact)) : list (key * fact) :=
  match l with [] => [] | x :: r => x :: filter (fun y => negb (key_eqb (fst x) (fst y))) (uniq_keys r) end.
Definition assumed (fuel : nat) (literal : term * bool) : list fact :=
  checked (fst literal) (map snd (uniq_keys (lower fuel (fst literal) (snd literal)))).

Record state := { facts : list fact; unknowns : list term }.
(** A text is more than the next smaller one of the branch, and less than the next greater one. *)
Definition next_below (s : string) (texts : list string) : string :=
  fold_left (fun best x => if String.ltb x s && String.ltb best x then x else best) texts ""%string.
Definition next_above (s : string) (texts : list string) : option string :=
  fold_left (fun best x => if String.ltb s x && match best with Some b => String.ltb x b | None => true end then Some x else best) texts None.
Definition less_text (s t : string) : list (term * bool) := if String.ltb s t then [(Op Less [Text s; Text t], true)] else [].
Definition definition (known : list term) (u : term) : list (term * bool) :=
  match u with
  | Op (Div c) [x] => if 0 <? c then [(Op LessEq [Int 0; Op (Mod c) [x]], true); (Op LessEq [Op (Mod c) [x]; Int (c - 1)], true)] else []
  | Op Ite [c; x; y] => [(Op Ite [c; eq' u x; eq' u y], true)]
  | Text s => let texts := flat_map (fun u => match u with Text s => [s] | _ => [] end) known in
      less_text (next_below s texts) s ++ match next_above s texts with Some t => less_text s t | None => [] end
  | _ => if is (type u) TText then [(Op LessEq [Text ""; u], true)] else []
  end.
Definition trivial (f : fact) := match f with Atom ([], c) => c <=? 0 | _ => false end.
Definition mentioned (f : fact) := match f with Atom (l, _) => map fst l | _ => [] end.
Fixpoint add (fuel : nat) (s : state) (f : fact) : state :=
  match fuel with O => s | Datatypes.S fuel =>
  if trivial f then s else
  fold_left (fun s u =>
      if existsb (term_eqb u) (unknowns s) then s else
      fold_left (add fuel) (flat_map (assumed fuel) (definition (unknowns s) u)) {| facts := facts s; unknowns := unknowns s ++ [u] |})
    (mentioned f) {| facts := facts s ++ [f]; unknowns := unknowns s |}
  end.

Definition combination (s : state) (ms : list (nat * Z)) : option form :=
  match sequence (map (fun im => match nth_error (facts s) (fst im) with
      | Some (Atom f) => if 0 <? snd im then Some (snd im, f) else None | _ => None end) ms) with
  | Some parts => Some (total parts) | None => None end.
Definition split_on (s : state) (cs : list (nat * Z)) (bound : Z) : option form :=
  match sequence (map (fun ic => match nth_error (unknowns s) (fst ic) with
      | Some u => Some (snd ic, ([(u, 1)], 0)) | None => None end) cs) with
  | Some parts => Some (total ((- bound, one) :: parts)) | None => None end.
(** Equal arguments have equal values. *)
Definition equal_values (u v : term) : option term :=
  match u, v with
  | Op (Apply f ts t) xs, Op (Apply g us w) ys =>
      let pairs := map (fun xy => eq' (fst xy) (snd xy)) (combine xs ys) in
      if op_eqb (Apply f ts t) (Apply g us w) && Nat.eqb (List.length xs) (List.length ys) &&
         forallb (fun p => is (type p) TBool) (eq' u v :: pairs)
      then Some (implies (conj pairs) (eq' u v)) else None
  | _, _ => None
  end.
Definition congruent (s : state) (i j : nat) : option term :=
  match nth_error (unknowns s) i, nth_error (unknowns s) j with
  | Some u, Some v => equal_values (root u) (root v) | _, _ => None end.
Fixpoint close (fuel : nat) (s : state) (t : tree) {struct t} : bool :=
  match t with
  | Farkas ms => match combination s ms with Some ([], c) => 1 <=? c | _ => false end
  | Cut ms rest => match combination s ms with Some f => close fuel (add fuel s (Atom (tightened f))) rest | None => false end
  | Congruent i j rest =>
      match congruent s i j with
      | Some f => close fuel (fold_left (add fuel) (assumed fuel (f, true)) s) rest | None => false end
  | Split cs bound below above =>
      match split_on s cs bound with
      | Some f => close fuel (add fuel s (Atom (tightened f))) below &&
                  close fuel (add fuel s (Atom (tightened (total [(-1, f); (1, one)])))) above
      | None => false
      end
  | Case i ts =>
      match nth_error (facts s) i with
      | Some (Disj bs) =>
          (fix each bs (ts : list tree) {struct ts} := match bs, ts with
           | [], [] => true
           | b :: bs, t :: ts => close fuel (fold_left (add fuel) (flat_map (assumed fuel) b) s) t && each bs ts
           | _, _ => false
           end) bs ts
      | _ => false
      end
  end.
Definition refutes (fuel : nat) (formula : term) (t : tree) : bool :=
  is (type formula) TBool &&
  close fuel (fold_left (add fuel) (assumed fuel (formula, false)) {| facts := []; unknowns := [] |}) t.

(** ** Texts as integers

    Texts of at most [width] bytes are numbers of as many digits to the base 257, in their order.  A refutation speaks of finitely
    many texts: what it says is shown for all widths from some width on. *)
Fixpoint rank (width : nat) (s : string) : Z := match width, s with
  | Datatypes.S width, String c s => (1 + Z.of_N (Ascii.N_of_ascii c)) * 257 ^ Z.of_nat width + rank width s | _, _ => 0 end.
Lemma rank_bounds width s : 0 <= rank width s < 257 ^ Z.of_nat width.
Proof.
  revert s; induction width as [|w IH]; intros s; [cbn; lia|]. rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia.
  assert (P : 0 < 257 ^ Z.of_nat w) by (apply Z.pow_pos_nonneg; lia). destruct s as [|c s]; cbn [rank]; [lia|]. specialize (IH s).
  pose proof (Ascii.N_ascii_bounded c). nia.
Qed.
Lemma rank_less width s t : (String.length s <= width)%nat -> (String.length t <= width)%nat -> String.compare s t = Lt -> rank width s < rank width t.
Proof.
  revert s t; induction width as [|w IH]; intros [|c s] [|d t]; cbn [String.length String.compare]; try discriminate; try lia; intros A B.
  - intros _. cbn [rank]. pose proof (rank_bounds w t). assert (P : 0 < 257 ^ Z.of_nat w) by (apply Z.pow_pos_nonneg; lia). nia.
  - unfold Ascii.compare. pose proof (rank_bounds w s). pose proof (rank_bounds w t). cbn [rank].
    destruct (N.compare_spec (Ascii.N_of_ascii c) (Ascii.N_of_ascii d)) as [->|E|E]; try discriminate; intros L.
    + specialize (IH s t ltac:(lia) ltac:(lia) L). lia.
    + assert (P : 0 < 257 ^ Z.of_nat w) by (apply Z.pow_pos_nonneg; lia). nia.
Qed.
Lemma rank_leb width s t : (String.length s <= width)%nat -> (String.length t <= width)%nat ->
  vleb (VText s) (VText t) = (rank width s <=? rank width t).
Proof.
  intros A B. unfold vleb. cbn [vcompare]. pose proof (String.compare_antisym s t) as S. destruct (String.compare s t) eqn:E; symmetry.
  - apply String.compare_eq_iff in E. subst. apply Z.leb_refl.
  - apply Z.leb_le. pose proof (rank_less width s t A B E). lia.
  - apply Z.leb_gt. apply rank_less; auto. destruct (String.compare t s); auto; discriminate.
Qed.
Definition num (width : nat) (v : val) : Z := match v with VText s => rank width s | _ => toZ v end.
Definition comparable_val (v : val) (t : ty) := has_type v t /\ comparable_type t = true.
Definition long (v : val) : nat := match v with VText s => String.length s | _ => O end.
Lemma num_leb width v w t : comparable_val v t -> comparable_val w t -> (long v <= width)%nat -> (long w <= width)%nat -> leb v w = (num width v <=? num width w).
Proof. intros [V C] [W _]. destruct t; try discriminate; destruct v; try (cbn in V; tauto); destruct w; try (cbn in W; tauto); cbn [leb num long]; auto using rank_leb. Qed.

(** What holds of all widths from some width on. *)
Definition ev (P : nat -> Prop) := exists n, forall width, (n <= width)%nat -> P width.
Lemma ev_always (P : nat -> Prop) : (forall n, P n) -> ev P.
Proof. intros H. exists O. auto. Qed.
Lemma ev_and (P Q R : nat -> Prop) : ev P -> ev Q -> (forall n, P n -> Q n -> R n) -> ev R.
Proof. intros [n H] [m K] I. exists (Nat.max n m). intros w W. apply I; [apply H|apply K]; lia. Qed.
Lemma ev_imp (P Q : nat -> Prop) : ev P -> (forall n, P n -> Q n) -> ev Q.
Proof. intros [n H] I. exists n. auto. Qed.
Lemma ev_forall {A} (P : nat -> A -> Prop) l : (forall x, In x l -> ev (fun n => P n x)) -> ev (fun n => Forall (P n) l).
Proof.
  induction l as [|x l IH]; intros H; [apply ev_always; constructor|].
  apply (ev_and (fun n => P n x) (fun n => Forall (P n) l)); [apply H; cbn; auto|apply IH; intros; apply H; cbn; auto|constructor; auto].
Qed.

(** ** Soundness *)
Section Sound.
  Variable r : env.
  Hypothesis R : typed r.
  Notation m := (meaning r).
  Definition literal_true (l : term * bool) := toB (m (fst l)) = snd l.
  Section Width.
  Variable w : nat.
  Definition sum (l : list (term * Z)) := fold_right (fun tz s => snd tz * num w (m (fst tz)) + s) 0 l.
  Definition value (f : form) := sum (fst f) + snd f.
  Definition fact_true (f : fact) := match f with
    | Atom f => value f <= 0 | Disj bs => exists b, In b bs /\ Forall literal_true b end.

  Lemma sum_add_to t z l : sum (add_to t z l) = sum l + z * num w (m t).
  Proof.
    unfold sum in *. induction l as [|[u y] l IH]; cbn [add_to fold_right fst snd]; [lia|].
    destruct (term_eqb u t) eqn:E; cbn [fold_right fst snd]; [apply term_eqb_eq in E; subst|]; lia.
  Qed.
  Lemma sum_nonzero l : sum (filter (fun tz => negb (snd tz =? 0)) l) = sum l.
  Proof.
    unfold sum in *. induction l as [|[u y] l IH]; cbn [filter fold_right fst snd]; auto.
    destruct (Z.eqb_spec y 0); cbn [negb fold_right fst snd]; subst; lia.
  Qed.
  Lemma value_total parts : value (total parts) = fold_right (fun p s => fst p * value (snd p) + s) 0 parts.
  Proof.
    unfold total, value. cbn [fst snd]. rewrite sum_nonzero.
    enough (G : forall acc, let sum' := fold_left (fun acc part => let '(m, (l, c)) := part in
      (fold_left (fun k tz => add_to (fst tz) (m * snd tz) k) l (fst acc), snd acc + m * c)) parts acc in
      sum (fst sum') + snd sum' = sum (fst acc) + snd acc + fold_right (fun p s => fst p * value (snd p) + s) 0 parts).
    { rewrite (G ([], 0)). unfold sum. cbn [fst snd fold_right]. reflexivity || lia. }
    induction parts as [|[k [l c]] parts IH]; cbn [fold_left fold_right]; intros acc; [lia|].
    cbn zeta in *. rewrite IH. cbn [fst snd]. unfold value at 2. cbn [fst snd].
    enough (E : forall a, sum (fold_left (fun k0 tz => add_to (fst tz) (k * snd tz) k0) l a) = sum a + k * sum l) by (rewrite E; lia).
    induction l as [|[u y] l IHl]; cbn [fold_left]; intros a; [unfold sum; cbn [fold_right]; lia|]. rewrite IHl, sum_add_to.
    unfold sum. cbn [fold_right fst snd]. lia.
  Qed.
  Lemma value_tightened f : value f <= 0 -> value (tightened f) <= 0.
  Proof.
    unfold tightened. set (g := fold_right _ _ _). destruct (0 <? g) eqn:G; cbn [andb]; auto.
    destruct (forallb _ _) eqn:D; auto. apply Z.ltb_lt in G. clearbody g. unfold value. cbn [fst snd].
    assert (E : sum (fst f) = g * sum (map (fun tz => (fst tz, snd tz / g)) (fst f))).
    { destruct f as [l c]; cbn [fst snd] in *. clear c. induction l as [|[u y] l IH]; [unfold sum; cbn [fold_right map]; lia|]. cbn [forallb fst snd] in D. apply andb_true_iff in D as [D1 D2].
      unfold sum in *. cbn [map fold_right fst snd]. rewrite (IH D2). apply Z.eqb_eq in D1. pose proof (Z.div_mod y g). nia. }
    rewrite E. set (q := sum (map _ _)). intros H.
    assert (q <= - snd f / g) by (apply Z.div_le_lower_bound; lia). lia.
  Qed.
  Lemma mk_typed o args u : type (Op o args) = Some u -> type (mk o args) = Some u /\ m (mk o args) = m (Op o args).
  Proof. exact (mk_ok None None r nothing nothing R I I o args u). Qed.
  Lemma reach_ok t : forall u, type t = Some u -> type (reach t) = Some u /\ m (reach t) = m t.
  Proof.
    induction t using term_ind'; auto. intros u T. destruct args as [|x [|]]; auto. cbn [reach]. destruct (reads o) eqn:O; auto.
    inversion H as [|? ? X _]; subst; clear H.
    assert (E : exists k, type x = Some k /\ (forall y, type y = Some k -> type (Op o [y]) = Some u) /\ (forall y, m y = m x -> m (Op o [y]) = m (Op o [x])) /\
      forall c y z, m x = m (Op Ite [c; y; z]) -> m (Op o [x]) = if toB (m c) then m (Op o [y]) else m (Op o [z])).
    { unfold type in T. destruct o; try discriminate; cbn [typeof] in T.
      - destruct (typeof None None x) as [k|] eqn:K; [|discriminate]. exists k. repeat split; auto.
        + intros y Y. unfold type in *. cbn [typeof]. now rewrite Y.
        + intros y Y. unfold meaning in *. cbn [run in_order]. now rewrite Y.
        + intros c y z E. unfold meaning in *. cbn [run in_order] in *. rewrite E. now destruct (toB _).
      - destruct (typeof None None x) as [k|] eqn:K; [|discriminate]. exists k. repeat split; auto.
        + intros y Y. unfold type in *. cbn [typeof]. now rewrite Y.
        + intros y Y. unfold meaning in *. cbn [run in_order]. now rewrite Y.
        + intros c y z E. unfold meaning in *. cbn [run in_order] in *. rewrite E. now destruct (toB _).
      - destruct (typeof None None x) as [k|] eqn:K; [|discriminate]. exists k. repeat split; auto.
        + intros y Y. unfold type in *. cbn [typeof]. now rewrite Y.
        + intros y Y. unfold meaning in *. cbn [run in_order]. now rewrite Y.
        + intros c y z E. unfold meaning in *. cbn [run in_order] in *. rewrite E. now destruct (toB _). }
    destruct E as (k & K & TY & EQ & IF). destruct (X k K) as [X1 X2]. clear X.
    assert (G : forall y, y = reach x -> type (mk o [y]) = Some u /\ m (mk o [y]) = m (Op o [x])).
    { intros y ->. destruct (mk_typed o [reach x] u (TY _ X1)) as [A ->]. split; auto. }
    destruct (reach x) as [| | | | | |p ys] eqn:Q; try (now apply G). destruct p; try (now apply G).
    destruct ys as [|c [|y [|z [|]]]]; try (now apply G). clear G.
    assert (B : type c = Some TBool /\ type y = Some k /\ type z = Some k) by (unfold type in *; cbn [typeof] in X1; whens; auto).
    destruct B as (B1 & B2 & B3). destruct (mk_typed o [y] u (TY _ B2)) as [Y1 Y2], (mk_typed o [z] u (TY _ B3)) as [Z1 Z2]. split.
    - unfold type in *. cbn [typeof]. rewrite B1, Y1, Z1. cbn. now rewrite ty_eqb_refl.
    - rewrite (IF c y z (eq_sym X2)), <- Y2, <- Z2. reflexivity.
  Qed.
  Lemma value_linear fuel t : (type t = Some TInt \/ type t = Some TText) -> value (linear fuel t) = num w (m t).
  Proof.
    assert (U : forall t, value ([(t, 1)], 0) = num w (m t)) by (intros; unfold value, sum; cbn [fst snd fold_right]; lia).
    revert t; induction fuel as [|fuel IH]; intros t T; cbn [linear]; [apply U|].
    assert (D : value (if term_eqb (reach t) t then ([(t, 1)], 0) else linear fuel (reach t)) = num w (m t)).
    { destruct (term_eqb _ _); [apply U|]. destruct T as [T|T]; destruct (reach_ok t _ T) as [A B]; rewrite IH, B; auto. }
    destruct t; auto.
    - destruct s; auto. unfold value, sum, meaning. cbn. destruct w; reflexivity.
    - destruct o; auto.
    + rewrite value_total. unfold meaning; cbn [run in_order num toZ]. clear D.
      assert (A : forall x, In x args -> type x = Some TInt).
      { unfold type in *. cbn [typeof] in T. destruct T as [T|T]; whens. rewrite forallb_forall in E. intros x X. apply is_eq, E, in_map, X. }
      clear T. induction args as [|x l IHl]; cbn [map fold_right fst snd]; auto.
      rewrite IHl, IH by (intuition auto with datatypes).
      assert (X : type x = Some TInt) by auto with datatypes. pose proof (preservation r R x _ _ nothing nothing _ X I I) as P. unfold meaning. rewrite (int_of _ P). cbn [num toZ]. lia.
    + destruct args as [|x [|]]; auto. rewrite value_total. cbn [fold_right fst snd].
      assert (X : type x = Some TInt) by (unfold type in *; cbn [typeof] in T; destruct T as [T|T]; whens; auto).
      rewrite IH by auto. pose proof (preservation r R x _ _ nothing nothing _ X I I) as P. unfold meaning. cbn [run in_order]. rewrite (int_of _ P). cbn [num toZ]. lia.
    + destruct args as [|x [|]]; auto. rewrite value_total. cbn [fold_right fst snd].
      assert (X : type x = Some TInt) by (unfold type in *; cbn [typeof] in T; destruct T as [T|T]; whens; auto).
      rewrite IH, U by auto. pose proof (preservation r R x _ _ nothing nothing _ X I I) as P. unfold meaning; cbn [run in_order].
      rewrite (int_of _ P). cbn [num toZ]. generalize (toZ (eval r nothing nothing x)) as a. intros a.
      destruct (Z.eq_dec divisor 0) as [->|N]; [rewrite Zmod_0_r, Zdiv_0_r; lia|].
      pose proof (Z.div_mod a divisor N). lia.
  Qed.
  End Width.

  Lemma Forall2_length {A B} (P : A -> B -> Prop) l k : Forall2 P l k -> List.length l = List.length k.
  Proof. induction 1; cbn; congruence. Qed.
  Lemma toB_VBool b : toB (VBool b) = b. Proof. now destruct b. Qed.
  Lemma existsb_fails xs : existsb toB xs = false <-> forall x, In x xs -> toB x = false.
  Proof.
    split.
    - intros E x X. apply not_true_is_false. intros T. rewrite (proj2 (existsb_exists _ _)) in E; [discriminate|eauto].
    - intros A. apply not_true_is_false. intros E. apply existsb_exists in E as (x & X & T). rewrite (A x X) in T. discriminate.
  Qed.
  Lemma forallb_fails xs : forallb toB xs = false -> exists x, In x xs /\ toB x = false.
  Proof.
    induction xs as [|x l IH]; cbn; [discriminate|]. destruct (toB x) eqn:E; cbn; [|eauto].
    intros F. destruct (IH F) as (y & Y & T). eauto.
  Qed.
  Ltac lits := repeat match goal with |- Forall _ _ => constructor end; unfold literal_true; cbn [fst snd]; auto.
  Lemma bools_of args : forallb (fun o => is o TBool) (map type args) = true -> Forall (fun x => type x = Some TBool) args.
  Proof. rewrite forallb_forall, Forall_forall. intros H x X. apply is_eq, H, in_map, X. Qed.
  Lemma typed_value t u : type t = Some u -> has_type (m t) u.
  Proof. intros T. exact (preservation r R t None None nothing nothing u T I I). Qed.
  Lemma equivalence_ok x y : bool_term x -> bool_term y ->
    bool_term (equivalence x y) /\ toB (m (equivalence x y)) = Bool.eqb (toB (m x)) (toB (m y)).
  Proof.
    intros X Y. unfold equivalence.
    destruct (term_eqb x tt') eqn:E1; [apply term_eqb_eq in E1; subst; split; auto; cbn; now destruct (toB (m y))|].
    destruct (term_eqb x ff') eqn:E2; [apply term_eqb_eq in E2; subst; destruct (not_ok r y R Y) as [A ->]; split; auto; cbn; now destruct (toB (m y))|].
    destruct (term_eqb y tt') eqn:E3; [apply term_eqb_eq in E3; subst; split; auto; cbn; now destruct (toB (m x))|].
    destruct (term_eqb y ff') eqn:E4; [apply term_eqb_eq in E4; subst; destruct (not_ok r x R X) as [A ->]; split; auto; cbn; now destruct (toB (m x))|].
    destruct (eq_ok r x y TBool R X Y) as [A B]. split; auto. rewrite B.
    rewrite (bool_of _ (typed_value x TBool X)), (bool_of _ (typed_value y TBool Y)). rewrite !toB_VBool. now destruct (toB (m x)), (toB (m y)).
  Qed.
  (** Options are equal when both have no value, or both the same. *)
  Lemma option_equal x y t : type x = Some (TOpt t) -> type y = Some (TOpt t) ->
    let e := is_none' x in let o := is_none' y in
    let f := conj [equivalence e o; disj [e; eq' (value_of t x) (value_of t y)]] in
    bool_term f /\ toB (m f) = veqb (m x) (m y).
  Proof.
    intros X Y. cbv zeta.
    assert (NO : forall x, type x = Some (TOpt t) -> bool_term (is_none' x) /\ m (is_none' x) = VBool (is_none (m x))).
    { intros z Z. assert (T : type (Op IsNone [z]) = Some TBool) by (unfold type in *; cbn [typeof]; now rewrite Z).
      destruct (mk_typed _ _ _ T) as [A B]. split; auto. }
    assert (VA : forall x, type x = Some (TOpt t) -> type (value_of t x) = Some t /\ m (value_of t x) = match m x with VSome v => v | _ => default t end).
    { intros z Z. assert (T : type (Op (ValueOf t) [z]) = Some t) by (unfold type in *; cbn [typeof]; rewrite Z; cbn; now rewrite ty_eqb_refl).
      destruct (mk_typed _ _ _ T) as [A B]. split; auto. }
    destruct (NO x X) as [NX NX'], (NO y Y) as [NY NY'], (VA x X) as [VX VX'], (VA y Y) as [VY VY'].
    destruct (equivalence_ok _ _ NX NY) as [EB EV]. destruct (eq_ok r _ _ t R VX VY) as [QB QV].
    assert (DB : Forall bool_term [is_none' x; eq' (value_of t x) (value_of t y)]) by (repeat constructor; auto).
    destruct (disj_list_ok r _ R DB) as [DB1 DV].
    assert (CB : Forall bool_term [equivalence (is_none' x) (is_none' y); disj [is_none' x; eq' (value_of t x) (value_of t y)]]) by (repeat constructor; auto).
    destruct (conj_list_ok r _ R CB) as [C1 CV]. split; auto. rewrite CV. cbn [map forallb]. rewrite EV, DV. cbn [map existsb]. rewrite QV, NX', NY', VX', VY', !toB_VBool.
    destruct (option_of _ _ (typed_value x _ X)) as [->|(v & -> & _)], (option_of _ _ (typed_value y _ Y)) as [->|(u & -> & _)]; cbn [is_none]; try reflexivity.
    cbn [Bool.eqb orb andb]. rewrite orb_false_r, andb_true_r. apply eq_true_iff_eq. rewrite !veqb_eq. split; congruence.
  Qed.
  Lemma lower_ok fuel : forall t h, type t = Some TBool -> literal_true (t, h) ->
    forall f, In f (map snd (lower fuel t h)) -> ev (fun w => fact_true w f).
  Proof.
    unfold literal_true. cbn [fst snd].
    induction fuel as [|fuel IH]; intros t h T L f; cbn [lower]; [intros []|].
    assert (D : In f (map snd (if term_eqb (reach t) t then [(Some (t, h), Atom (if h then ([(t, -1)], 1) else ([(t, 1)], 0)))]
                               else checked (reach t) (lower fuel (reach t) h))) -> ev (fun w => fact_true w f)).
    { destruct (term_eqb _ _).
      - intros [<-|[]]. apply ev_always. intros w. cbn [snd fact_true]. pose proof (bool_of _ (typed_value t _ T)) as V. rewrite L in V.
        destruct h; unfold value, sum; cbn [fst snd fold_right]; rewrite V; cbn; lia.
      - unfold checked. destruct (is _ _) eqn:E; [|intros []]. apply is_eq in E. apply IH; auto. now rewrite (proj2 (reach_ok t _ T)). }
    assert (A : forall args, Forall (fun x => type x = Some TBool) args -> (forall x, In x args -> toB (m x) = h) ->
        In f (map snd (flat_map (fun x => lower fuel x h) args)) -> ev (fun w => fact_true w f)).
    { intros args A B C. apply in_map_iff in C as (kf & <- & C). apply in_flat_map in C as (x & X & C).
      rewrite Forall_forall in A. apply (IH x h); auto. now apply in_map. }
    destruct t; auto.
    - cbn in L. rewrite toB_VBool in L. subst. now rewrite Bool.eqb_reflx.
    - destruct o; auto.
      + (* equal *) destruct args as [|x [|y [|]]]; auto.
        unfold meaning in L; cbn [run in_order] in L; fold (m x) (m y) in L. rewrite toB_VBool in L.
        assert (T' : exists k, type x = Some k /\ type y = Some k).
        { unfold type in *. cbn [typeof] in T. whens; eauto. }
        destruct T' as (k & Tx & Ty). rewrite Tx. pose proof (typed_value x _ Tx) as Px. pose proof (typed_value y _ Ty) as Py.
        assert (B : comparable_type k = true -> In f (map snd (lower fuel (conj [Op LessEq [x; y]; Op LessEq [y; x]]) h)) -> ev (fun w => fact_true w f)).
        { intros C. assert (F : Forall bool_term [Op LessEq [x; y]; Op LessEq [y; x]]).
          { apply Forall_cons; [|apply Forall_cons; [|constructor]]; unfold bool_term, type in *; cbn [typeof]; rewrite Tx, Ty; cbn; rewrite ty_eqb_refl; cbn; now rewrite C. }
          destruct (conj_list_ok r _ R F) as [F1 F2]. apply IH; auto. rewrite F2. cbn [map forallb]. unfold meaning; cbn [run in_order].
          rewrite !toB_VBool, andb_true_r. fold (m x) (m y). rewrite <- L. apply eq_true_iff_eq. rewrite andb_true_iff, veqb_eq.
          assert (LV : forall v w, has_type v k -> has_type w k -> leb v w = vleb v w).
          { intros v w V W. destruct k; try discriminate; destruct v; try (cbn in V; tauto); destruct w; try (cbn in W; tauto); auto. }
          rewrite !LV by auto. split; [intros [P Q]; now apply vleb_antisym|]. intros ->. unfold vleb. now rewrite vcompare_refl. }
        destruct k as [| | |k|ts|]; [auto| |auto| | |intros []].
        * intros [<-|[]]. apply ev_always. intros w. cbn [snd fact_true]. rewrite (bool_of _ Px), (bool_of _ Py) in L.
          assert (V : veqb (VBool (toB (m x))) (VBool (toB (m y))) = Bool.eqb (toB (m x)) (toB (m y)))
            by (destruct (toB (m x)), (toB (m y)); reflexivity).
          rewrite V in L. destruct (toB (m x)) eqn:X.
          -- eexists; split; [left; reflexivity|]. lits. subst h. now destruct (toB (m y)).
          -- eexists; split; [right; left; reflexivity|]. lits. subst h. now destruct (toB (m y)).
        * destruct (option_equal x y k Tx Ty) as [O1 O2]. apply IH; auto. now rewrite O2.
        * unfold checked. destruct (is _ _) eqn:E; [|intros []]. apply is_eq in E.
          destruct (mk_typed _ _ _ E) as [E1 E2]. apply IH; [exact E1|].
          unfold conj. rewrite E2. unfold meaning. cbn [run in_order]. rewrite toB_VBool, map_map.
          destruct (m x) as [| | | | |vs|] eqn:Mx; try (cbn in Px; tauto). destruct (m y) as [| | | | |ws|] eqn:My; try (cbn in Py; tauto).
          apply has_type_tup in Px, Py.
          assert (Q : forall i, toB (eval r nothing nothing (eq' (proj x i) (proj y i))) = veqb (nth i vs nothing) (nth i ws nothing)).
          { intros i. clear D A B IH E E1 E2. unfold eq', mk. destruct (term_eqb (proj x i) (proj y i)) eqn:Q.
            - apply term_eqb_eq in Q. assert (W : m (proj x i) = m (proj y i)) by now rewrite Q.
              rewrite !m_proj, Mx, My in W. unfold component in W; cbn [components] in W. rewrite W, veqb_refl. reflexivity.
            - cbn [run in_order]. rewrite toB_VBool. fold (m (proj x i)) (m (proj y i)). now rewrite !m_proj, Mx, My. }
          subst h. apply eq_true_iff_eq. rewrite forallb_forall, veqb_eq. split.
          -- intros H. f_equal. apply (nth_ext _ _ nothing nothing).
             ++ rewrite (Forall2_length _ _ _ Px), (Forall2_length _ _ _ Py). reflexivity.
             ++ intros i Hi. rewrite (Forall2_length _ _ _ Px) in Hi. apply veqb_eq. rewrite <- Q. apply H. apply in_map_iff. exists i. split; auto.
                apply in_seq. lia.
          -- intros [= ->] v V. apply in_map_iff in V as (i & <- & I'). rewrite Q. apply veqb_refl.
      + (* less *) destruct args as [|x [|y [|]]]; auto. apply IH.
        * unfold type in *. cbn [typeof] in *. whens. rewrite H. cbn. rewrite ty_eqb_refl. cbn. now rewrite H0.
        * rewrite <- L. unfold meaning. cbn [run in_order]. rewrite !toB_VBool. now rewrite negb_involutive.
      + (* less_equal *) destruct args as [|x [|y [|]]]; auto.
        assert (T' : exists k, type x = Some k /\ type y = Some k /\ comparable_type k = true).
        { unfold type in *. cbn [typeof] in T. whens; eauto. }
        destruct T' as (k & Tx & Ty & C).
        assert (N : forall z, type z = Some k -> type z = Some TInt \/ type z = Some TText) by (intros z Z; destruct k; try discriminate; auto).
        unfold meaning in L; cbn [run in_order] in L; fold (m x) (m y) in L. rewrite toB_VBool in L. intros F.
        exists (Nat.max (long (m x)) (long (m y))). intros w W.
        rewrite (num_leb w (m x) (m y) k) in L by (try split; auto using typed_value; lia). revert F.
        destruct h; intros [<-|[]]; cbn [snd fact_true]; apply value_tightened; rewrite value_total; cbn [fold_right fst snd];
          rewrite !value_linear by auto; unfold value at 1, one, sum; cbn [fst snd fold_right];
          [apply Z.leb_le in L|apply Z.leb_gt in L]; lia.
      + (* not *) destruct args as [|x [|]]; auto. apply IH.
        * unfold type in *. cbn [typeof] in T. whens. auto.
        * unfold meaning in *. cbn [run in_order] in L. rewrite toB_VBool in L. rewrite <- L. now rewrite negb_involutive.
      + (* and *) destruct (forallb (fun o => is o TBool) (map type args)) eqn:E;
          [|unfold type in T; cbn [typeof] in T; change (typeof None None) with type in T; rewrite E in T; discriminate].
        unfold meaning in L; cbn [run in_order] in L; fold m in L. rewrite toB_VBool in L. destruct h.
        * apply A; [now apply bools_of|]. intros x X. rewrite forallb_forall in L. apply L. now apply (in_map m).
        * intros [<-|[]]. apply ev_always. intros w. cbn [snd fact_true]. apply forallb_fails in L as (v & V & B). apply in_map_iff in V as (x & <- & X).
          exists [(x, false)]. split; [now apply (in_map (fun x => [(x, false)]))|]. lits.
      + (* or *) destruct (forallb (fun o => is o TBool) (map type args)) eqn:E;
          [|unfold type in T; cbn [typeof] in T; change (typeof None None) with type in T; rewrite E in T; discriminate].
        unfold meaning in L; cbn [run in_order] in L; fold m in L. rewrite toB_VBool in L. destruct h.
        * intros [<-|[]]. apply ev_always. intros w. cbn [snd fact_true]. apply existsb_exists in L as (v & V & B). apply in_map_iff in V as (x & <- & X).
          exists [(x, true)]. split; [now apply (in_map (fun x => [(x, true)]))|]. lits.
        * apply A; [now apply bools_of|]. intros x X. rewrite existsb_fails in L. apply L. now apply (in_map m).
      + (* ite *) destruct args as [|c [|x [|y [|]]]]; auto. intros [<-|[]]. apply ev_always. intros w. cbn [snd fact_true].
        unfold meaning in L; cbn [run in_order] in L. fold (m c) (m x) (m y) in L. destruct (toB (m c)) eqn:C.
        * eexists; split; [left; reflexivity|]. lits.
        * eexists; split; [right; left; reflexivity|]. lits.
  Qed.

  Lemma uniq_keys_in x l : In x (uniq_keys l) -> In x l.
  Proof. induction l as [|y l IH]; cbn; auto. rewrite filter_In. intuition. Qed.
  Lemma assumed_ok fuel l : literal_true l -> ev (fun w => Forall (fact_true w) (assumed fuel l)).
  Proof.
    intros L. unfold assumed, checked. destruct (is _ _) eqn:E; [|apply ev_always; constructor]. apply is_eq in E. apply ev_forall. intros f F.
    apply in_map_iff in F as (kf & <- & F). apply uniq_keys_in in F. destruct l as [t h].
    exact (lower_ok fuel t h E L (snd kf) (in_map snd _ _ F)).
  Qed.
  Lemma assumed_all fuel ls : Forall literal_true ls -> ev (fun w => Forall (fact_true w) (flat_map (assumed fuel) ls)).
  Proof.
    induction 1 as [|l ls L _ IH]; [apply ev_always; constructor|]. cbn [flat_map].
    apply (ev_and _ _ _ (assumed_ok fuel l L) IH). intros w A B. apply Forall_app; auto.
  Qed.
  Lemma less_text_ok s t : Forall literal_true (less_text s t).
  Proof.
    unfold less_text. destruct (String.ltb s t) eqn:E; lits. unfold meaning; cbn [run in_order leb]. rewrite toB_VBool.
    unfold String.ltb in E. pose proof (String.compare_antisym s t) as A. unfold vleb. cbn [vcompare]. destruct (String.compare s t); try discriminate.
    now destruct (String.compare t s).
  Qed.
  Lemma definition_ok known u : Forall literal_true (definition known u).
  Proof.
    assert (D : Forall literal_true (if is (type u) TText then [(Op LessEq [Text ""; u], true)] else [])).
    { destruct (is (type u) TText) eqn:E; lits. apply is_eq in E. pose proof (typed_value u _ E) as V. unfold meaning; cbn [run in_order]. fold (m u).
      destruct (m u) as [| |s| | | |]; try (cbn in V; tauto). rewrite toB_VBool. cbn [leb]. unfold vleb. cbn. now destruct s. }
    destruct u; try exact D.
    - cbn [definition]. apply Forall_app; split; [apply less_text_ok|]. destruct (next_above _ _); [apply less_text_ok|constructor].
    - destruct o; try exact D; cbn [definition].
      + destruct args as [|x [|]]; try exact D. destruct (Z.ltb_spec 0 divisor); [|constructor].
      pose proof (Z.mod_pos_bound (toZ (m x)) divisor H) as B.
      lits; unfold meaning in *; cbn [run in_order leb toZ] in *; rewrite toB_VBool; apply Z.leb_le; lia.
      + destruct args as [|c [|x [|y [|]]]]; try exact D. constructor; [|constructor]. unfold literal_true; cbn [fst snd].
      assert (Q : forall a b, m a = m b -> toB (m (eq' a b)) = true).
      { intros a b E. unfold eq', mk. destruct (term_eqb a b); [reflexivity|]. unfold meaning in *. cbn [run in_order]. rewrite toB_VBool, E. apply veqb_refl. }
      unfold meaning at 1. cbn [run in_order]. fold (m c) (m (eq' (Op Ite [c; x; y]) x)) (m (eq' (Op Ite [c; x; y]) y)).
      destruct (toB (m c)) eqn:C; apply Q; unfold meaning in *; cbn [run in_order]; now rewrite C.
  Qed.
  Definition state_true (w : nat) (s : state) := Forall (fact_true w) (facts s).
  Lemma fold_left_state {B} (P : nat -> B -> Prop) (f : state -> B -> state) l :
    (forall s b, ev (fun w => state_true w s -> P w b -> state_true w (f s b))) ->
    forall s, ev (fun w => state_true w s -> Forall (P w) l -> state_true w (fold_left f l s)).
  Proof.
    intros H. induction l as [|b l IH]; intros s; [now apply ev_always|]. cbn [fold_left].
    apply (ev_and _ _ _ (H s b) (IH (f s b))). intros w A B' S F. inversion F; subst. auto.
  Qed.
  Lemma add_ok fuel : forall s f, ev (fun w => state_true w s -> fact_true w f -> state_true w (add fuel s f)).
  Proof.
    induction fuel as [|fuel IH]; intros s f; cbn [add]; [now apply ev_always|]. destruct (trivial f); [now apply ev_always|].
    assert (E : forall s u, ev (fun w => state_true w s -> True -> state_true w (if existsb (term_eqb u) (unknowns s) then s else
      fold_left (add fuel) (flat_map (assumed fuel) (definition (unknowns s) u)) {| facts := facts s; unknowns := unknowns s ++ [u] |}))).
    { intros s' u. destruct (existsb _ _); [now apply ev_always|].
      apply (ev_and _ _ _ (fold_left_state fact_true (add fuel) (flat_map (assumed fuel) (definition (unknowns s') u)) IH
        {| facts := facts s'; unknowns := unknowns s' ++ [u] |}) (assumed_all fuel _ (definition_ok (unknowns s') u))). auto. }
    apply (ev_imp _ _ (fold_left_state (fun _ _ => True) _ (mentioned f) E {| facts := facts s ++ [f]; unknowns := unknowns s |})).
    intros w A S F. apply A; [|apply Forall_forall; auto]. unfold state_true; cbn [facts]. apply Forall_app; auto.
  Qed.
  Lemma assume_ok fuel ls s : Forall literal_true ls -> ev (fun w => state_true w s -> state_true w (fold_left (add fuel) (flat_map (assumed fuel) ls) s)).
  Proof.
    intros L. apply (ev_and _ _ _ (fold_left_state fact_true (add fuel) (flat_map (assumed fuel) ls) (add_ok fuel) s) (assumed_all fuel ls L)). auto.
  Qed.
  Lemma combination_ok w s ms f : state_true w s -> combination s ms = Some f -> value w f <= 0.
  Proof.
    intros S. unfold combination. destruct (sequence _) as [parts|] eqn:E; [|discriminate]. intros [= <-]. rewrite value_total.
    revert parts E. induction ms as [|[i k] ms IH]; cbn [map sequence fst snd]; intros parts E; [inversion E; cbn; lia|].
    destruct (nth_error (facts s) i) as [[g|]|] eqn:N; try discriminate. destruct (Z.ltb_spec 0 k); [|discriminate].
    destruct (sequence _); [|discriminate]. inversion E; subst. cbn [fold_right fst snd]. specialize (IH _ eq_refl).
    apply nth_error_In in N. unfold state_true in S. rewrite Forall_forall in S. specialize (S _ N). cbn in S. nia.
  Qed.
  Lemma equal_values_ok u v f : equal_values u v = Some f -> literal_true (f, true).
  Proof.
    destruct u as [| | | | | |o xs]; try discriminate. destruct o; try discriminate. destruct v as [| | | | | |o ys]; try discriminate. destruct o; try discriminate.
    cbn [equal_values]. set (pairs := map _ (combine xs ys)). destruct (_ && _ && _) eqn:E; [|discriminate]. intros [= <-].
    rewrite !andb_true_iff, Nat.eqb_eq in E. destruct E as [[O N] B]. cbn [forallb] in B. apply andb_true_iff in B as [BU BP]. apply is_eq in BU.
    apply op_eqb_eq in O. inversion O; subst; clear O.
    assert (P : Forall bool_term pairs) by (apply Forall_forall; intros p I'; rewrite forallb_forall in BP; exact (proj1 (is_eq _ _) (BP p I'))).
    destruct (conj_list_ok r pairs R P) as [C1 C2]. destruct (implies_ok r _ _ R C1 BU) as [_ I']. unfold literal_true. cbn [fst snd].
    assert (Q : forall a b, toB (m (eq' a b)) = veqb (m a) (m b)).
    { intros a b. unfold eq', mk. destruct (term_eqb a b) eqn:E; [apply term_eqb_eq in E; subst; now rewrite veqb_refl|].
      unfold meaning. cbn [run in_order]. now rewrite toB_VBool. }
    rewrite I', C2, Q. destruct (forallb toB (map (meaning r) pairs)) eqn:F; auto. cbn [implb]. apply veqb_eq. unfold meaning. cbn [run in_order].
    f_equal. f_equal. clear -N F Q. subst pairs. revert ys N F. induction xs as [|x xs IH]; intros [|y ys]; try discriminate; auto.
    cbn [combine map forallb List.length]. rewrite andb_true_iff. intros N [F1 F2]. rewrite Q in F1. apply veqb_eq in F1. f_equal; auto.
  Qed.
  Fixpoint tree_size (t : tree) : nat := match t with
    | Case _ ts => Datatypes.S (fold_right (fun t n => tree_size t + n) 0 ts)%nat
    | Split _ _ t u => Datatypes.S (tree_size t + tree_size u) | Cut _ t | Congruent _ _ t => Datatypes.S (tree_size t) | Farkas _ => 1%nat end.
  Lemma literals_dec ls : Forall literal_true ls \/ ~ Forall literal_true ls.
  Proof.
    induction ls as [|l ls [IH|IH]]; [left; constructor| |right; intros H; inversion H; auto].
    unfold literal_true in *. destruct (Bool.bool_dec (toB (m (fst l))) (snd l)); [left; constructor; auto|right; intros H; inversion H; auto].
  Qed.
  Lemma close_ok fuel : forall n t, (tree_size t < n)%nat -> forall s, close fuel s t = true -> ev (fun w => state_true w s -> False).
  Proof.
    induction n as [|n IH]; [lia|]. intros t N s C. destruct t as [i ts|cs b below above|ms rest|i j rest|ms]; cbn [close tree_size] in *.
    - destruct (nth_error (facts s) i) as [[|bs]|] eqn:E; try discriminate.
      enough (X : ev (fun w => state_true w s -> forall b, In b bs -> Forall literal_true b -> False)).
      { apply (ev_imp _ _ X). intros w H S. pose proof S as S'. apply nth_error_In in E. unfold state_true in S'. rewrite Forall_forall in S'.
        destruct (S' _ E) as (b & B & L). exact (H S b B L). }
      clear E. revert bs C. induction ts as [|t ts IHt]; intros [|b bs] C; try discriminate; [apply ev_always; intros ? ? ? []|].
      cbn in N. apply andb_true_iff in C as [C1 C2].
      assert (Y : ev (fun w => state_true w s -> Forall literal_true b -> False)).
      { destruct (literals_dec b) as [L|L]; [|apply ev_always; auto].
        apply (ev_and _ _ _ (IH t ltac:(lia) _ C1) (assume_ok fuel b s L)). auto. }
      apply (ev_and _ _ _ Y (IHt ltac:(cbn; lia) bs C2)). intros w A B S c [<-|I']; eauto.
    - destruct (split_on s cs b) as [f|]; [|discriminate]. apply andb_true_iff in C as [C1 C2].
      assert (X : forall g t, (tree_size t < n)%nat -> close fuel (add fuel s (Atom g)) t = true -> ev (fun w => state_true w s -> fact_true w (Atom g) -> False)).
      { intros g t M D. apply (ev_and _ _ _ (IH t M _ D) (add_ok fuel s (Atom g))). auto. }
      apply (ev_and _ _ _ (X _ below ltac:(lia) C1) (X _ above ltac:(lia) C2)).
      intros w A B S. destruct (Z.le_gt_cases (value w f) 0).
      + apply (A S). cbn [fact_true]. now apply value_tightened.
      + apply (B S). cbn [fact_true]. apply value_tightened. rewrite value_total.
        cbn [fold_right fst snd]. unfold value at 2, one, sum. cbn [fst snd fold_right]. lia.
    - destruct (combination s ms) as [f|] eqn:E; [|discriminate].
      apply (ev_and _ _ _ (IH rest ltac:(lia) _ C) (add_ok fuel s (Atom (tightened f)))). intros w A B S. apply A, B; auto.
      cbn [fact_true]. apply value_tightened. eapply combination_ok; eauto.
    - destruct (congruent s i j) as [f|] eqn:E; [|discriminate].
      assert (L : literal_true (f, true)).
      { unfold congruent in E. destruct (nth_error _ i); [|discriminate]. destruct (nth_error _ j); [|discriminate]. exact (equal_values_ok _ _ _ E). }
      pose proof (assume_ok fuel [(f, true)] s ltac:(repeat constructor; auto)) as X. cbn [flat_map] in X. rewrite app_nil_r in X.
      apply (ev_and _ _ _ (IH rest ltac:(lia) _ C) X). auto.
    - destruct (combination s ms) as [[[|] c]|] eqn:E; try discriminate. apply ev_always. intros w S. apply (combination_ok w) in E; auto.
      unfold value, sum in E. cbn [fst snd fold_right] in E. apply Z.leb_le in C. lia.
  Qed.
End Sound.

Theorem refutes_ok fuel formula t : refutes fuel formula t = true ->
  type formula = Some TBool /\ forall r, typed r -> toB (meaning r formula) = true.
Proof.
  unfold refutes. rewrite andb_true_iff. intros [T C]. apply is_eq in T. split; auto. intros r R.
  destruct (toB (meaning r formula)) eqn:E; auto. exfalso.
  destruct (ev_and _ _ (fun _ => False) (close_ok r R fuel _ t (Nat.lt_succ_diag_r _) _ C)
    (assume_ok r R fuel [(formula, false)] {| facts := []; unknowns := [] |} ltac:(repeat constructor; auto))) as [n H].
  - intros w A B. cbn [flat_map] in B. rewrite app_nil_r in B. apply A, B. constructor.
  - exact (H n (le_n n)).
Qed.
